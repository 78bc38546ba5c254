#include "table/rows/packed_texts.h"

#include "core/bytes.h"
#include "core/error.h"

enum { COUNT = 4, HEAD = 2, LONGEST = 0xfffe };

kith_status packed_texts_begin(packed_texts *l, arena *memory, kith_error *error)
{
    *l = (packed_texts){.memory = memory};
    return intern_init(&l->texts, memory, NULL, error);
}

kith_status packed_texts_put(packed_texts *l, const char *text, size_t length, kith_error *error)
{
    uint32_t code = 0;
    if (text != NULL && length > LONGEST)
        return error_set(error, KITH_DATA, "a cell of %zu bytes is too long to be released jointly",
                         length);
    if (text != NULL) {
        TRY(intern_add(&l->texts, text, length, &code, error));
        code++;
    }
    TRY_GROW(l->codes, l->room, l->count + 1, l->memory, error);
    l->codes[l->count++] = code;
    return KITH_OK;
}

/* The bytes of a code. */
static uint32_t code_width(uint32_t n_texts)
{
    return n_texts <= UINT8_MAX ? 1 : n_texts <= UINT16_MAX ? 2 : 4;
}

kith_status packed_texts_pack(const packed_texts *l, unsigned char **bytes, size_t *length,
                              kith_error *error)
{
    const uint32_t n_texts = l->texts.count, width = code_width(n_texts);
    bytes_writer w = {.memory = l->memory};
    bytes_write_number(&w, n_texts, COUNT);
    for (uint32_t i = 0; i < n_texts; i++) {
        bytes_write_number(&w, intern_length(&l->texts, i), HEAD);
        bytes_write(&w, intern_text(&l->texts, i), intern_length(&l->texts, i));
    }
    for (size_t i = 0; i < l->count; i++)
        bytes_write_number(&w, l->codes[i], width);
    *bytes = w.bytes;
    *length = w.length;
    return bytes_written(&w, error);
}

kith_status packed_texts_take(packed_texts_cell *cells, size_t count, const unsigned char *bytes,
                              size_t length, bool *well, arena *memory, kith_error *error)
{
    bytes_reader r = {.at = bytes, .left = length};
    const uint32_t n_texts = (uint32_t)bytes_read_count(&r, COUNT, HEAD);
    const uint32_t width = code_width(n_texts);
    *well = false;
    if (r.failed || n_texts > count)
        return KITH_OK;
    packed_texts_cell *texts = TRY_ARRAY(texts, memory, n_texts + (size_t)1, error);
    for (uint32_t i = 0; i < n_texts && !r.failed; i++) {
        texts[i].length = (uint16_t)bytes_read(&r, HEAD);
        texts[i].text = bytes_read_text(&r, texts[i].length);
        bytes_refuse(&r, texts[i].length > LONGEST);
    }
    if (r.failed || r.left % width != 0 || r.left / width != count)
        return KITH_OK;
    for (size_t i = 0; i < count; i++) {
        const uint32_t code = (uint32_t)bytes_read(&r, width);
        if (code > n_texts)
            return KITH_OK;
        cells[i] = (packed_texts_cell){0};
        if (code > 0)
            cells[i] = texts[code - 1];
    }
    *well = true;
    return KITH_OK;
}
