#include "table/packed_texts.h"

#include "core/error.h"
#include "core/text.h"

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
static size_t code_width(uint32_t n_texts)
{
    return n_texts <= UINT8_MAX ? 1 : n_texts <= UINT16_MAX ? 2 : 4;
}

kith_status packed_texts_pack(const packed_texts *l, unsigned char **bytes, size_t *length,
                              kith_error *error)
{
    const uint32_t n_texts = l->texts.count;
    const size_t width = code_width(n_texts);
    size_t at = COUNT;
    *length = COUNT + width * l->count;
    for (uint32_t i = 0; i < n_texts; i++)
        *length += HEAD + intern_length(&l->texts, i);
    *bytes = TRY_ALLOC(arena_array(l->memory, *length, 1), error);
    memcpy(*bytes, &n_texts, COUNT);
    for (uint32_t i = 0; i < n_texts; i++) {
        const uint16_t head = (uint16_t)intern_length(&l->texts, i);
        memcpy(*bytes + at, &head, HEAD);
        memcpy(*bytes + at + HEAD, intern_text(&l->texts, i), head);
        at += HEAD + head;
    }
    for (size_t i = 0; i < l->count; i++, at += width)
        memcpy(*bytes + at, &l->codes[i], width); /* little-endian, as everywhere on the wire */
    return KITH_OK;
}

/* Reads the different texts; returns where they end, or 0 if they are not well-formed. */
static size_t take_texts(packed_texts_cell *texts, uint32_t n_texts, const unsigned char *bytes,
                         size_t length)
{
    size_t at = COUNT;
    for (uint32_t i = 0; i < n_texts; i++) {
        uint16_t head;
        if (length - at < HEAD)
            return 0;
        memcpy(&head, bytes + at, HEAD);
        at += HEAD;
        const char *text = (const char *)bytes + at;
        if (head > LONGEST || length - at < head || memchr(text, '\0', head) != NULL ||
            text_utf8_error(text, head) != head)
            return 0;
        texts[i] = (packed_texts_cell){text, head};
        at += head;
    }
    return at;
}

kith_status packed_texts_take(packed_texts_cell *cells, size_t count, const unsigned char *bytes,
                              size_t length, bool *well, arena *memory, kith_error *error)
{
    uint32_t n_texts = 0, code;
    *well = false;
    if (length < COUNT)
        return KITH_OK;
    memcpy(&n_texts, bytes, COUNT);
    if (n_texts > (length - COUNT) / HEAD || n_texts > count)
        return KITH_OK;
    packed_texts_cell *texts =
        TRY_ALLOC(arena_array(memory, n_texts + (size_t)1, sizeof *texts), error);
    const size_t width = code_width(n_texts);
    size_t at = take_texts(texts, n_texts, bytes, length);
    if (at == 0 || (length - at) % width != 0 || (length - at) / width != count)
        return KITH_OK;
    for (size_t i = 0; i < count; i++, at += width) {
        code = 0;
        memcpy(&code, bytes + at, width);
        if (code > n_texts)
            return KITH_OK;
        cells[i] = (packed_texts_cell){0};
        if (code > 0)
            cells[i] = texts[code - 1];
    }
    *well = true;
    return KITH_OK;
}
