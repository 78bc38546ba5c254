/* The loss of a node of the lattice, from its levels and the suppressed records.
 *
 * All sums run in the order of attributes and values, over integer counts, so that the
 * loss of a node depends neither on how its groups were found nor on which rank has them. Losses
 * are rounded to 40 bits, so that nodes are ties if their losses differ only by the order of
 * summation. */
#ifndef SEARCH_LATTICE_NODE_LOSS_H
#define SEARCH_LATTICE_NODE_LOSS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/run/ranks.h"
#include "search/problem.h"
#include "search/lattice/tuples.h"

typedef struct node_loss {
    const problem *problem;
    const tuples *tuples;
    double **total;    /* [n_attributes][levels] loss of all records at a level */
    double **min_loss; /* [n_attributes][levels] lower bound, for any set of suppressed records */
    uint32_t ***count; /* [n_attributes][levels][n_nodes + 1] cells by code, wildcards last */
    uint32_t *offset;  /* [n_attributes + 1] where an attribute's cells begin in a count vector */
    bool among_themselves; /* entropy: suppressed records are priced as one group of their own */
    bool by_leaf; /* suppressed cells are counted by leaf; else by code, which is cheaper */
    bool rising;  /* no cell loses less at a higher level */
} node_loss;

/* `ranks` have such tuples each, which together are the table; NULL: `t` are all. */
kith_status node_loss_init(node_loss *q, const problem *p, const tuples *t, kith_ranks *ranks,
                           arena *memory, kith_error *error);

/* Entries of a count vector. Attribute j has those from offset[j] on: one per leaf (by_leaf) or per
 * code at the node's level, wildcards last. */
uint32_t node_loss_count_entries(const node_loss *q);

/* How many codes of an attribute the table has at a level. */
uint32_t node_loss_distinct(const node_loss *q, uint32_t axis, uint32_t level);

/* Counts of all cells of an attribute, suppressed or not, in the form of a count vector. */
const uint32_t *node_loss_all_cells(const node_loss *q, uint32_t axis, uint32_t level);

/* Loss of a node at `levels` with `suppressed` records suppressed. `gone` counts their cells and is
 * read only if there are any; `squares` is the sum of squared sizes of the classes that are kept,
 * a whole number.
 * *kept becomes the part of the loss that is due to records that are kept. */
double node_loss_compute(const node_loss *q, const uint8_t *levels, uint32_t suppressed,
                         const uint32_t *gone, uint64_t squares, double *kept);

/* Loss if nothing is suppressed (a guess for dm, which has no loss per cell), and a lower bound of
 * the loss for any suppression within the limit. */
double node_loss_estimate(const node_loss *q, const uint8_t *levels);
double node_loss_bound(const node_loss *q, const uint8_t *levels);

/* The loss of this many records in the unit of summaries. */
double node_loss_objective(const problem *p, uint32_t n_records, double loss);

#endif
