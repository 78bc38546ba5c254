/* The types of the Arrow C data interface that tables can be made of, and arrays of which
 * everything that does not depend on single values has been checked. */
#ifndef TABLE_ARROW_ARROW_VALUES_H
#define TABLE_ARROW_ARROW_VALUES_H

#include <string.h>

#include <kith/arrow.h>

#include "core/arena.h"

typedef enum arrow_kind {
    ARROW_KIND_NULL,
    ARROW_KIND_BOOL,
    ARROW_KIND_INTEGER,
    ARROW_KIND_FLOAT,
    ARROW_KIND_DECIMAL,
    ARROW_KIND_DATE, /* timestamps, too */
    ARROW_KIND_TEXT,
    ARROW_KIND_VIEW
} arrow_kind;

typedef struct arrow_type {
    arrow_kind kind;
    bool is_signed;
    unsigned width;        /* bytes of a value; of texts: of an offset; of bool and null: 0 */
    int digits, scale;     /* decimals; a negative scale stands for zeros */
    int64_t ticks_per_day; /* dates: 1 for days, more for timestamps */
    bool timed, zoned;     /* dates that are timestamps; those whose time is UTC */
    /* Dictionaries: the type of the values, and this one is the type of the indices. */
    const struct arrow_type *values;
} arrow_type;

/* The type of one column, in `memory`. KITH_DATA with a message that names the type if there can be
 * no such column, or if the schema is wrong. */
kith_status arrow_type_of(const arrow_type **type, arena *memory, const struct ArrowSchema *schema,
                          kith_error *error) KITH_MUST_USE;

/* The type of a column for which none is asked for. */
kith_type arrow_type_nearest(const arrow_type *type);

/* An array. Invariants: indices are those of the buffers and lie in first … first + length - 1;
 * whatever the type needs for them is not NULL, but the texts of an array whose texts are all empty
 * may be. */
typedef struct arrow_values {
    const arrow_type *type;
    const uint8_t *validity; /* NULL: no value is missing */
    const uint8_t *data;     /* values, bits, offsets or views */
    const char *texts;
    int64_t texts_end; /* the last offset */
    const void **buffers;
    int64_t n_buffers; /* views: all of them */
    int64_t first, length;
} arrow_values;

/* Values `skip` … `skip + length - 1` of an array, in its own count. */
kith_status arrow_values_of(arrow_values *values, const arrow_type *type,
                            const struct ArrowArray *array, int64_t skip, int64_t length,
                            kith_error *error) KITH_MUST_USE;

static inline bool arrow_values_missing(const arrow_values *v, int64_t index)
{
    return v->validity != NULL && (v->validity[index >> 3] >> (index & 7) & 1) == 0;
}

/* A number of up to eight bytes, which need not be aligned; the sign is extended. */
static inline uint64_t arrow_values_load(const arrow_values *v, int64_t index)
{
    const uint8_t *at = v->data + index * (int64_t)v->type->width;
    const bool sign = v->type->is_signed;
    uint8_t one;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (v->type->width) {
    case 1: memcpy(&one, at, 1); return sign ? (uint64_t)(int64_t)(int8_t)one : one;
    case 2: memcpy(&two, at, 2); return sign ? (uint64_t)(int64_t)(int16_t)two : two;
    case 4: memcpy(&four, at, 4); return sign ? (uint64_t)(int64_t)(int32_t)four : four;
    default: memcpy(&eight, at, 8); return eight;
    }
}

/* The text at an index, for ARROW_KIND_TEXT and ARROW_KIND_VIEW. `*readable` says how many
 * bytes can be read from it on. */
kith_status arrow_values_text(const arrow_values *v, int64_t index, const char **text,
                              size_t *length, size_t *readable, kith_error *error) KITH_MUST_USE;

#endif
