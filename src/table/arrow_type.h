/* The types of the Arrow C data interface that tables can be made of. */
#ifndef TABLE_ARROW_TYPE_H
#define TABLE_ARROW_TYPE_H

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

/* The type of a column of which nobody says what it should be. */
kith_type arrow_type_nearest(const arrow_type *type);

#endif
