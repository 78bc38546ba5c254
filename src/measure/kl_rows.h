/* Rows of nodes, one of each attribute: original records, or what the classes of a release show. */
#ifndef MEASURE_KL_ROWS_H
#define MEASURE_KL_ROWS_H

#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"
#include "core/run/ranks.h"
#include "hierarchy/tree.h"

typedef struct kl_rows {
    uint32_t count;
    uint32_t **node; /* [n_attributes][count] */
    uint32_t *n;     /* [count] records that a row stands for; NULL: one each */
} kl_rows;

/* The attributes of rows, and the order in which they are compared. */
typedef struct kl_order {
    uint32_t n_attributes;
    const tree *const *trees;  /* [n_attributes] */
    const uint32_t *attribute; /* [n_attributes] the one that is compared first, and so on */
} kl_order;

/* Room for rows that all have a number. */
kith_status kl_rows_new(kl_rows *rows, uint32_t n_attributes, size_t count, arena *memory,
                        kith_error *error) KITH_MUST_USE;

/* *sorted has the rows in ascending order; equal ones have become one. It lives in `memory`. */
kith_status kl_rows_sort(kl_rows *sorted, const kl_rows *rows, const kl_order *order, arena *memory,
                         kith_error *error) KITH_MUST_USE;

/* The rows of all ranks, on every rank, in the order of the ranks. Rows have numbers. All ranks
 * together. */
kith_status kl_rows_gather(kl_rows *all, const kl_rows *own, uint32_t n_attributes,
                           kith_ranks *ranks, arena *memory, kith_error *error) KITH_MUST_USE;

#endif
