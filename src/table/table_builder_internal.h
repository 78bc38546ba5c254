/* What the files of the table builder share. */
#ifndef TABLE_TABLE_BUILDER_INTERNAL_H
#define TABLE_TABLE_BUILDER_INTERNAL_H

#include <locale.h>

#include "table/intern.h"
#include "table/memory_budget.h"
#include "table/table_builder.h"

/* Invariants: rows 0 … n_rows-1 have their provisional codes (the order of first sight), row
 * `n_rows` is being filled, and all columns have room for it. Whether a text is well-formed,
 * missing or of the right type is decided when it is first seen; a missing one keeps its
 * provisional code, listed in `missing`, until the end. */
typedef struct column_builder {
    const char *name;
    kith_type type;
    const char *date_format;
    intern texts;
    uint32_t *codes;
    int64_t *whole;  /* of each text, for integers and dates */
    double *decimal; /* of each text, for decimals */
    size_t values_room;
    uint32_t *missing; /* ascending */
    size_t n_missing;
    const uint64_t *seen; /* how often each code was; those that never were are left out. NULL: all
                           * codes are in rows */
    uint32_t *map;        /* if the builder keeps it: from provisional codes to final ones */
    uint32_t n_codes;     /* of them */
} column_builder;

struct table_builder {
    arena *memory;
    const char *source;
    const kith_table_options *options;
    locale_t c_locale;
    memory_budget budget;
    uint32_t n_rows;
    size_t rows_room;
    size_t count;
    column_builder *columns;
    bool keeps_maps;
};

#endif
