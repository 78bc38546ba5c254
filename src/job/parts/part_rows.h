/* Moving rows between ranks so that equal ones lie on one rank. */
#ifndef JOB_PARTS_PART_ROWS_H
#define JOB_PARTS_PART_ROWS_H

#include "core/context.h"

/* Rows of numbers, one array for each column. */
typedef struct part_rows {
    uint32_t n_rows, n_columns;
    uint32_t n_keys;         /* the first columns; rows that agree in them belong together */
    const uint32_t *n_codes; /* [n_columns] every number of a column is below it */
    uint32_t **codes;        /* [n_columns][n_rows] */
} part_rows;

/* Rows that agree in the keys go to one rank, and no order is lost: those of a lower rank come
 * first, and rows of one rank keep their order. *in shares n_codes with `out`, and has its codes in
 * `memory`. */
kith_status part_rows_exchange(part_rows *in, const part_rows *out, context *c, arena *memory,
                               kith_error *error) KITH_MUST_USE;

#endif
