#include "table/arrow/arrow_column.h"

#include "core/error.h"
#include "core/text.h"
#include "table/typed_value.h"

enum { FEW_BITS = 8, MANY_BITS = 17, PAD = 8 };

/* The code of a number that was seen before: a number is written once and looked up by its bits
 * from then on. There is one place for each hash: a number that was pushed out by another is
 * written again. The cache grows while numbers are pushed out, but not beyond a few megabytes: a
 * column whose numbers are all different has no use for it. */
typedef struct cached_code {
    uint64_t bits;
    uint32_t code;
    uint32_t used;
} cached_code;

/* The code of a value of a dictionary, if `batch` is the present one: every batch may bring another
 * dictionary in the same place. */
typedef struct known_code {
    uint32_t batch;
    uint32_t code;
} known_code;

struct arrow_column {
    arena *memory;
    const char *name;
    const arrow_type *type;
    arrow_text_style style;
    table_builder *builder;
    size_t which;
    cached_code *cache; /* [1 << cache_bits], numbers only */
    unsigned cache_bits;
    size_t n_written;  /* numbers, since the cache has this size */
    known_code *known; /* [n_known], dictionaries only */
    size_t n_known;
    uint32_t batch; /* counts from 1 */
};

static bool is_text(const arrow_type *type)
{
    return type->kind == ARROW_KIND_TEXT || type->kind == ARROW_KIND_VIEW;
}

kith_status arrow_column_new(arrow_column **made, arena *memory, const arrow_type *type,
                             const kith_column_spec *spec, table_builder *builder, size_t which,
                             kith_error *error)
{
    arrow_column *c = TRY_ZEROS(c, memory, 1, error);
    c->memory = memory;
    c->name = spec->name;
    c->type = type;
    c->style = (arrow_text_style){.type = spec->type, .date_format = spec->date_format};
    c->builder = builder;
    c->which = which;
    if (spec->type == KITH_TYPE_DATE && spec->date_format != NULL) {
        c->style.c_locale = text_c_locale();
        if (c->style.c_locale == (locale_t)0)
            return error_nomem(error);
    }
    c->cache_bits = FEW_BITS;
    if (type->values == NULL && !is_text(type))
        c->cache = TRY_ZEROS(c->cache, memory, 1 << FEW_BITS, error);
    *made = c;
    return KITH_OK;
}

/* Adds the column to a message about one value; the builder's own messages have it. */
static kith_status in_column(const arrow_column *c, kith_status status, kith_error *error)
{
    if (error == NULL || status != KITH_DATA)
        return status;
    kith_error plain = *error;
    return error_set(error, status, "%s (column %s)", plain.message, c->name);
}

/* The code of a value that is not missing, by its text. */
static kith_status code_of_value(const arrow_column *c, const arrow_values *v, int64_t index,
                                 uint32_t *code, kith_error *error)
{
    char buffer[ARROW_TEXT_BYTES];
    const char *text = NULL;
    size_t length = 0;
    kith_status status = arrow_text_of(&text, &length, buffer, v, index, &c->style, error);
    TRY(in_column(c, status, error));
    return table_builder_code(c->builder, c->which, text, length, code, error);
}

/* The values of a dictionary are looked at where a row has them first: one that no row has must not
 * reach the table. */
static kith_status read_indices(const arrow_column *c, const arrow_values *v,
                                const arrow_values *values, size_t count, size_t *wrong,
                                kith_error *error)
{
    uint32_t *codes = table_builder_next(c->builder, c->which);
    for (size_t i = 0; i < count; i++) {
        const int64_t at = v->first + (int64_t)i;
        codes[i] = TABLE_MISSING;
        if (arrow_values_missing(v, at))
            continue;
        const uint64_t index = arrow_values_load(v, at);
        *wrong = i;
        if (index >= (uint64_t)values->length) {
            error_set(error, KITH_DATA, "Arrow index %lld of %lld values", (long long)index,
                      (long long)values->length);
            return in_column(c, KITH_DATA, error);
        }
        known_code *known = &c->known[index];
        if (known->batch != c->batch) {
            const int64_t place = values->first + (int64_t)index;
            known->code = TABLE_MISSING;
            if (!arrow_values_missing(values, place))
                TRY(code_of_value(c, values, place, &known->code, error));
            known->batch = c->batch;
        }
        codes[i] = known->code;
    }
    return KITH_OK;
}

/* A text as the builder wants it: it reads eight bytes of every text, so that those at the end of a
 * buffer are copied. Blanks go first, because the builder would go beyond them. */
static kith_status take_text(const arrow_column *c, const arrow_values *v, int64_t index,
                             char pad[PAD], const char **text, size_t *length, kith_error *error)
{
    size_t readable = 0;
    TRY(arrow_values_text(v, index, text, length, &readable, error));
    const char *begin = *text;
    if (table_builder_trims(c->builder))
        typed_value_trim(text, length);
    if (readable - (size_t)(*text - begin) < PAD)
        *text = memcpy(pad, *text, *length);
    return KITH_OK;
}

static kith_status read_texts(const arrow_column *c, const arrow_values *v, size_t count,
                              size_t *wrong, kith_error *error)
{
    char pads[BUILDER_BATCH][PAD];
    const char *texts[BUILDER_BATCH];
    size_t lengths[BUILDER_BATCH];
    for (*wrong = 0; *wrong < count;) {
        const size_t left = count - *wrong, n = left < BUILDER_BATCH ? left : BUILDER_BATCH;
        const int64_t first = v->first + (int64_t)*wrong;
        kith_status status = KITH_OK;
        for (size_t i = 0; i < n && status == KITH_OK; i++) {
            texts[i] = NULL;
            if (!arrow_values_missing(v, first + (int64_t)i))
                status =
                    take_text(c, v, first + (int64_t)i, pads[i], &texts[i], &lengths[i], error);
        }
        if (status == KITH_OK)
            status = table_builder_cells(c->builder, c->which, *wrong, texts, lengths, n, error);
        const size_t end = *wrong + n;
        uint32_t code; /* one cell after the other, to learn which one is wrong */
        for (int64_t at = first; status == KITH_DATA && *wrong < end; at++, ++*wrong)
            if (!arrow_values_missing(v, at))
                TRY(code_of_value(c, v, at, &code, error));
        TRY(status);
        *wrong = end;
    }
    return KITH_OK;
}

/* What a number is found by: its bits. Wide decimals that do not fit have none. */
static bool bits_of(const arrow_values *v, int64_t index, uint64_t *bits)
{
    if (v->type->kind == ARROW_KIND_BOOL) {
        *bits = v->data[index >> 3] >> (index & 7) & 1;
        return true;
    }
    *bits = arrow_values_load(v, index);
    if (v->type->width <= sizeof *bits)
        return true;
    const uint8_t *at = v->data + index * (int64_t)v->type->width;
    const uint8_t sign = (int64_t)*bits < 0 ? 0xff : 0;
    for (size_t i = sizeof *bits; i < v->type->width; i++)
        if (at[i] != sign)
            return false;
    return true;
}

static size_t arrow_column_place_of(const arrow_column *c, uint64_t bits)
{
    return (size_t)((bits * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - c->cache_bits));
}

/* A number that is not in the cache: writes it, and puts it there. */
static kith_status write_number(arrow_column *c, const arrow_values *v, int64_t index,
                                uint64_t bits, uint32_t *code, kith_error *error)
{
    TRY(code_of_value(c, v, index, code, error));
    const size_t slots = (size_t)1 << c->cache_bits;
    if (++c->n_written > slots && c->cache_bits < MANY_BITS) {
        arena_release(c->memory, c->cache, slots * sizeof *c->cache);
        c->cache = TRY_ZEROS(c->cache, c->memory, 2 * slots, error);
        c->cache_bits++;
        c->n_written = 0;
    }
    c->cache[arrow_column_place_of(c, bits)] =
        (cached_code){.bits = bits, .code = *code, .used = 1};
    return KITH_OK;
}

static kith_status read_numbers(arrow_column *c, const arrow_values *v, size_t count, size_t *wrong,
                                kith_error *error)
{
    uint32_t *codes = table_builder_next(c->builder, c->which);
    for (size_t i = 0; i < count; i++) {
        const int64_t at = v->first + (int64_t)i;
        uint64_t bits = 0;
        codes[i] = TABLE_MISSING;
        if (arrow_values_missing(v, at))
            continue;
        *wrong = i;
        if (!bits_of(v, at, &bits)) {
            TRY(code_of_value(c, v, at, &codes[i], error));
            continue;
        }
        const cached_code *found = &c->cache[arrow_column_place_of(c, bits)];
        if (found->used != 0 && found->bits == bits)
            codes[i] = found->code;
        else
            TRY(write_number(c, v, at, bits, &codes[i], error));
    }
    return KITH_OK;
}

kith_status arrow_column_read(arrow_column *c, const struct ArrowArray *array, int64_t skip,
                              size_t count, size_t *wrong, kith_error *error)
{
    arrow_values v;
    *wrong = count;
    TRY(arrow_values_of(&v, c->type, array, skip, (int64_t)count, error));
    c->batch++;
    if (c->type->kind == ARROW_KIND_NULL) {
        memset(table_builder_next(c->builder, c->which), 0xff, count * sizeof(uint32_t));
        return KITH_OK;
    }
    if (c->type->values != NULL) {
        arrow_values values;
        const struct ArrowArray *from = array->dictionary;
        TRY(arrow_values_of(&values, c->type->values, from, 0, from == NULL ? 0 : from->length,
                            error));
        const size_t n_values = (size_t)values.length;
        if (n_values > c->n_known) {
            const size_t before = c->n_known;
            TRY_GROW(c->known, c->n_known, n_values, c->memory, error);
            memset(c->known + before, 0, (c->n_known - before) * sizeof *c->known);
        }
        return read_indices(c, &v, &values, count, wrong, error);
    }
    return is_text(c->type) ? read_texts(c, &v, count, wrong, error)
                            : read_numbers(c, &v, count, wrong, error);
}
