/* The steps that tuples of records and tuples of several ranks share. */
#ifndef SEARCH_LATTICE_TUPLES_INTERNAL_H
#define SEARCH_LATTICE_TUPLES_INTERNAL_H

#include "core/bytes.h"
#include "core/run/ranks.h"
#include "search/lattice/tuples.h"

/* The leaves of this rank's records, row by row; NULL if out of memory. */
uint32_t *tuples_gather_rows(const problem *p, arena *memory);

/* The tuples of these rows of leaves, which have no weight yet: row i is tuple of[i]. They are
 * numbered in the order in which they first occur. */
kith_status tuples_take_rows(tuples *t, uint32_t *of, const uint32_t *rows, uint32_t n_rows,
                             arena *memory, kith_error *error) KITH_MUST_USE;

/* The codes of all attributes. */
kith_status tuples_attributes(const tuple_attribute **attributes, const problem *p, arena *memory,
                              kith_error *error) KITH_MUST_USE;

/* Room for the pointers to lists, and for one list. */
kith_status tuples_make_lists(tuples *t, arena *memory, kith_error *error) KITH_MUST_USE;
kith_status tuples_make_list(tuples *t, uint32_t s, size_t n_tuples, size_t n_entries,
                             arena *memory, kith_error *error) KITH_MUST_USE;

/* Bytes of a leaf in messages between ranks. */
static inline uint32_t tuples_leaf_width(const problem *p, uint32_t j)
{
    return bytes_width(p->attributes[j].tree->n_leaves);
}

/* How many values a list may have. */
uint32_t tuples_list_bound(const problem *p, uint32_t list);

/* Makes one of tuples that agree: *of[u] is the new tuple of u, in `scratch`. The result is in
 * `memory` and has the attributes and the number of records of `all`. */
kith_status tuples_combine(tuples *t, const uint32_t **of, const tuples *all, const problem *p,
                           arena *scratch, arena *memory, kith_error *error) KITH_MUST_USE;

/* Sends tuple u to rank to[u], or all to every rank if `to` is NULL, and takes what comes, one rank
 * after the other, into `memory`: what two ranks have sent is there twice. *before becomes the
 * number of those of lower ranks. */
kith_status tuples_send(tuples *all, uint32_t *before, const tuples *own, const uint32_t *to,
                        const problem *p, kith_ranks *ranks, arena *memory,
                        kith_error *error) KITH_MUST_USE;

#endif
