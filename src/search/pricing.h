/* What a node of the lattice loses, from the levels and the records that are suppressed.
 *
 * All sums run in the order of attributes and values, over integer counts, so that a node has one
 * price whichever way its groups were found. */
#ifndef SEARCH_PRICING_H
#define SEARCH_PRICING_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "search/problem.h"
#include "search/tuples.h"

typedef struct pricing {
    const problem *problem;
    const tuples *tuples;
    double **total;   /* [attributes][levels] loss of all records at a level */
    uint32_t *offset; /* [attributes + 1] where an attribute's leaves begin in a count vector */
    bool among_themselves; /* entropy: suppressed records are priced as one group of their own */
    bool by_leaf; /* counts of suppressed cells are by leaf; else by node of the level, which is
                     cheaper */
    bool bounded; /* no cell loses more at any level than it does suppressed */
    bool rising;  /* no cell loses less at a higher level */
} pricing;

kith_status pricing_init(pricing *q, const problem *p, const tuples *t, arena *memory,
                         kith_error *error);

/* Entries of a count vector. Attribute j has those from offset[j] on: one per leaf (by_leaf) or per
 * code at the node's level, wildcards last. */
uint32_t pricing_counts(const pricing *q);

/* Loss of a node at `levels`. `suppressed` records are suppressed, `gone` counts their cells (may
 * be NULL if there are none); `squares` is the sum of squared sizes of the classes kept. */
double pricing_loss(const pricing *q, const uint8_t *levels, uint32_t suppressed,
                    const uint32_t *gone, double squares, double *kept);

/* Loss with nothing suppressed (of cells, whatever the measure), a lower bound if pricing.bounded.
 */
double pricing_estimate(const pricing *q, const uint8_t *levels);

#endif
