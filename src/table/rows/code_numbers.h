/* Numbers for the distinct rows of all ranks: rows that are equal have the same number, wherever they
 * are. */
#ifndef TABLE_ROWS_CODE_NUMBERS_H
#define TABLE_ROWS_CODE_NUMBERS_H

#include "table/rows/code_rows.h"

typedef struct code_numbers {
    uint32_t count; /* over all ranks; numbers are below it */
    uint32_t *of;   /* [rows] */
    /* Each rank gives `n_here` numbers, from `first` on, to the rows here[columns][n_here]. */
    uint32_t first, n_here;
    uint32_t **here;
} code_numbers;

/* Numbers rows by all their columns. KITH_INVALID if there are too many. Cost: the rows move once,
 * and their numbers back. */
kith_status code_numbers_make(code_numbers *numbers, const code_rows *rows, context *c,
                              arena *memory, kith_error *error) KITH_MUST_USE;

/* here[which] of all ranks, by number: all[count]. */
kith_status code_numbers_column(uint32_t **all, const code_numbers *numbers, uint32_t which,
                                context *c, arena *memory, kith_error *error) KITH_MUST_USE;

#endif
