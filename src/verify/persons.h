/* Whose the rows of a release are, where models count persons: read from the data that the release
 * was made from, since the release has no column that says it. Shares nothing with the numbers that
 * the search counts by (job/prepare/units). */
#ifndef VERIFY_PERSONS_H
#define VERIFY_PERSONS_H

#include "core/run/context.h"
#include "verify/values.h"

struct verify_persons {
    uint32_t count;
    uint32_t *of_row; /* [n_rows of the release] */
};

/* The columns of the data that tell persons apart, and how their texts are read. */
typedef struct persons_source {
    const kith_table *data;
    uint32_t n_columns;
    const uint32_t *columns;       /* [n_columns] of the data */
    const verify_reading *reading; /* [n_columns] */
    uint32_t n_rows;
    const uint32_t *row; /* [n_rows] which row of the data each row of the release was made from */
} persons_source;

/* Rows with the same values in all columns are of one person; a row that lacks one of them is a
 * person of its own. Over ranks, each with its rows and the dictionaries of the whole, numbers are
 * those of all. */
kith_status persons_make(verify_persons *persons, const persons_source *from, context *c,
                         arena *memory, kith_error *error) KITH_MUST_USE;

/* How many different persons have each value: count[values], from zeros. */
kith_status persons_with_values(uint64_t *count, const verify_persons *persons,
                                const uint32_t *value_of_row, uint32_t n_rows, arena *memory,
                                kith_error *error) KITH_MUST_USE;

#endif
