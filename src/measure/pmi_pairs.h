/* How often a label and a node of an attribute occur together: all that pmi needs to know of
 * records. Pairs of several tables can be put together. */
#ifndef MEASURE_PMI_PAIRS_H
#define MEASURE_PMI_PAIRS_H

#include <stddef.h>
#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"
#include "hierarchy/tree.h"

typedef struct pmi_pair {
    uint32_t label, node;
    uint64_t there; /* records with this label whose cell stands at the node */
    uint64_t shown; /* records with this label whose class shows the node */
} pmi_pair;

/* Invariant: ascending by label, then by node; every pair occurs in some record. */
typedef struct pmi_pairs {
    pmi_pair *pair;
    size_t count, capacity;
} pmi_pairs;

/* Records in the order of their labels: those with y are order[start[y]] … order[start[y + 1] - 1].
 */
typedef struct pmi_order {
    const uint32_t *label;
    uint32_t n_labels, n_records;
    uint32_t *start, *order;
} pmi_order;

kith_status pmi_order_make(pmi_order *o, const uint32_t *label, uint32_t n_labels,
                           uint32_t n_records, arena *memory, kith_error *error) KITH_MUST_USE;
void pmi_order_release(const pmi_order *o, arena *memory);

/* The pairs of one attribute: cells[record] and, unless it is NULL, shown[record]. */
kith_status pmi_pairs_make(pmi_pairs *pairs, const pmi_order *o, const tree *t,
                           const uint32_t *cells, const uint32_t *shown, arena *memory,
                           kith_error *error) KITH_MUST_USE;

/* Adds `more` to `pairs`. */
kith_status pmi_pairs_merge(pmi_pairs *pairs, const pmi_pairs *more, arena *memory,
                            kith_error *error) KITH_MUST_USE;

void pmi_pairs_release(pmi_pairs *pairs, arena *memory);

#endif
