/* Measures of information loss.
 *
 * The additive ones are a cost per node and attribute plus a constant per record that no clustering
 * can change; a search minimizes the sum of node costs. The others are computed for a finished
 * partition. */
#ifndef MEASURE_MEASURE_H
#define MEASURE_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"
#include "hierarchy/tree.h"

typedef enum measure_id {
    MEASURE_LM,        /* (|node| - 1) / (|A| - 1) */
    MEASURE_EM,        /* entropy of the attribute within the node, bits */
    MEASURE_ENTROPY,   /* non-uniform: log2 count(node) - log2 count(value), bits */
    MEASURE_TREE,      /* level of the node / height of the tree */
    MEASURE_MI,        /* SEQ eq. 10: entropy, with suppressed cells at the root */
    MEASURE_PRECISION, /* 1 - Sweeney's precision: the same number as tree */
    MEASURE_PMI,       /* SEQ eq. 14: -log2 Pr(sensitive value | node), bits */
    MEASURE_WMI,       /* SEQ 8.4: w mi + (1 - w) pmi */
    MEASURE_DM,
    MEASURE_CM,
    MEASURE_AVERAGE_CLASS,
    MEASURE_AM,
    MEASURE_KL,
    MEASURE_ARX_LOSS,
    MEASURE_COUNT
} measure_id;

typedef struct measure_info {
    measure_id id;
    const char *name; /* in studies and summaries */
    const char *unit;
    bool additive;       /* can be minimized by the clustering algorithms */
    bool lattice;        /* can be minimized by searches of the lattice of generalizations */
    bool uses_sensitive; /* depends on a sensitive attribute: measure_sensitive_costs */
} measure_info;

const measure_info *measure_find(const char *name); /* NULL if unknown */
const measure_info *measure_at(measure_id id);

/* Fills cost[node] for one attribute: `count[leaf]` is how many records have that leaf (records
 * whose cell is above the leaves count nowhere). Only for additive measures that do not depend on a
 * sensitive attribute. */
void measure_node_costs(double *cost, measure_id id, const tree *t, const uint64_t *count);

/* Where the cost depends on a sensitive value: pmi and wmi (`w` is the weight of mi, 0 to 1). */
typedef struct sensitive_input {
    const tree *tree;
    uint32_t n_records;
    const uint32_t *cells;  /* [n_records] node of each record; at or above the leaves */
    const uint32_t *values; /* [n_records] of the sensitive attribute */
    uint32_t distinct;      /* values are below it */
    double w;
} sensitive_input;

/* Fills cost[node * distinct + value]. A record counts at its cell and at all nodes above. Where no
 * record below a node has the value the entry is finite but means nothing: no release shows it. */
kith_status measure_sensitive_costs(double *cost, measure_id id, const sensitive_input *in,
                                    arena *memory, kith_error *error);

#endif
