/* Rows of all ranks, told apart by some of their columns only and distributed so that equal ones
 * are on one rank. */
#ifndef JOB_PROFILE_DISTINCT_ROWS_H
#define JOB_PROFILE_DISTINCT_ROWS_H

#include "core/run/context.h"
#include "table/rows/row_groups.h"

typedef struct distinct_rows {
    kith_table table;  /* a row for each rank that has such rows */
    uint32_t *weights; /* [table.n_rows] how many rows of that rank it stands for */
} distinct_rows;

/* `own` groups the rows of this rank by the columns, whose dictionaries are united (table_unite).
 * The first `n_keys` columns decide to which rank a row goes. `n_rows` are those of all ranks.
 * Lives in `memory`. */
kith_status distinct_rows_distribute(distinct_rows *distributed, const row_groups *own,
                                     const column *const *columns, uint32_t n_columns,
                                     uint32_t n_keys, uint32_t n_rows, context *c, arena *memory,
                                     kith_error *error) KITH_MUST_USE;

#endif
