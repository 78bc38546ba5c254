/* The steps of tuples_build that records of one process and tuples of several ranks share. */
#ifndef SEARCH_LATTICE_TUPLES_INTERNAL_H
#define SEARCH_LATTICE_TUPLES_INTERNAL_H

#include "search/lattice/tuples.h"

/* Rows and the tuples they are, numbered in the order in which they first occur. */
typedef struct tuple_numbers {
    uint32_t count;           /* tuples */
    uint32_t *of;             /* [n_rows] tuple of a row */
    uint32_t *representative; /* [count] first row of a tuple */
} tuple_numbers;

/* Rows are leaves, row by row: a row's bytes can be hashed at once. */
kith_status tuples_number_rows(tuple_numbers *n, const uint32_t *rows, uint32_t n_rows,
                               uint32_t n_attributes, arena *memory,
                               kith_error *error) KITH_MUST_USE;

/* Makes the tuples of these rows, which have no weight yet. */
kith_status tuples_take_rows(tuples *t, const uint32_t *rows, const tuple_numbers *n, arena *memory,
                             kith_error *error) KITH_MUST_USE;

/* For qsort: uint32_t, ascending. */
int tuples_by_value(const void *a, const void *b);

/* The tuples of all ranks from those of each, which need no `attributes`. They live in `memory`;
 * what is needed meanwhile in `scratch`. */
kith_status tuples_unite(tuples *t, const tuples *own, const problem *p, crew *ranks,
                         arena *scratch, arena *memory, kith_error *error) KITH_MUST_USE;

#endif
