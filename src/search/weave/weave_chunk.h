/* Reweaving a chunk: a few hundred clusters that one thread improves on its own.
 *
 * Again and again it takes a record and the clusters nearest to it, throws their records together,
 * grows a small tree with randomized scores over them, moves single records while that helps, and
 * keeps the outcome if it is cheaper, or by chance if it is only a little dearer (annealing).
 *
 * Invariants: lane i of `lanes` shows cluster i, whose records are the segment cluster[i] of
 * `store`; lanes without a cluster have size 0 and are empty. All records of the chunk are always
 * in exactly one cluster; all clusters have at least `min_class` records and satisfy the models. */
#ifndef SEARCH_WEAVE_WEAVE_CHUNK_H
#define SEARCH_WEAVE_WEAVE_CHUNK_H

#include <stdatomic.h>

#include "search/slots/lanes.h"
#include "search/weave/weave_patch.h"
#include "search/weave/weave_tree.h"

/* A partition in the making: cluster c is members[start[c]] … members[start[c+1]-1]. */
typedef struct weave_partition {
    uint32_t count;
    uint32_t *members; /* [n_records] */
    uint32_t *start;   /* [n_records / min_class + 1] */
} weave_partition;

/* Room for a partition of `n_records` records into classes of at least `min_class`. */
kith_status weave_chunk_partition_init(weave_partition *w, uint32_t n_records, uint32_t min_class,
                                       arena *memory, kith_error *error);

typedef struct weave_chunk {
    const slots *slots;
    arena *memory; /* of one thread */
    class_rules rules;
    weave_tree tree;
    weave_patch patch;
    rng rng;
    cluster_lanes lanes;
    segment *cluster; /* [lanes] */
    int32_t *cost;    /* [lanes] per record */
    uint32_t *idle;   /* [lanes] lanes without a cluster */
    uint32_t n_idle;
    uint32_t *store, *other; /* [store_capacity] */
    uint32_t store_used, store_capacity;
    uint32_t n_records;
    uint16_t *weight, *closure;
} weave_chunk;

/* What to do with a chunk. */
typedef struct weave_chunk_plan {
    uint32_t n_tries;
    uint32_t min_clusters, max_clusters; /* clusters thrown together */
    double temperature;                  /* unit costs; 0: only what is cheaper is kept */
    double deadline;                     /* context_seconds at which to stop; 0: none */
    const atomic_bool *stop;             /* may be NULL */
} weave_chunk_plan;

/* For chunks of up to `n_clusters` clusters at the start. `most` is the largest set for the tree.
 */
kith_status weave_chunk_init(weave_chunk *c, const slots *s, const problem *p, uint32_t min_class,
                             uint32_t n_clusters, uint32_t max_records, arena *memory,
                             kith_error *error);

/* Loads the clusters order[0 … count-1] of w. False if memory runs out. */
bool weave_chunk_load(weave_chunk *c, const weave_partition *w, const uint32_t *order,
                      uint32_t count);
/* Improves them. The outcome depends on the plan, the clusters and the generator c->rng alone. */
void weave_chunk_improve(weave_chunk *c, const weave_chunk_plan *plan);
/* Writes members and sizes; returns the number of clusters and adds their cost to *total. */
uint32_t weave_chunk_unload(const weave_chunk *c, uint32_t *members, uint32_t *sizes,
                            int64_t *total);

#endif
