/* Rows of all ranks, told apart by some of their columns only and dealt out so that equal ones are
 * on one rank. */
#ifndef JOB_SHARE_SHARE_TUPLES_H
#define JOB_SHARE_SHARE_TUPLES_H

#include "core/context.h"
#include "table/table.h"

typedef struct share_tuples {
    kith_table table;  /* a row for each tuple and rank that has it; columns as asked for */
    uint32_t *weights; /* [table.n_rows] how many rows of that rank it stands for */
} share_tuples;

/* `united` comes from share_unite. The tuples are those of the columns; each goes to a rank that
 * the first `n_keys` of them decide. Lives in `memory`. */
kith_status share_tuples_deal(share_tuples *t, const kith_table *united, const uint32_t *columns,
                              uint32_t n_columns, uint32_t n_keys, context *c, arena *memory,
                              kith_error *error) KITH_MUST_USE;

#endif
