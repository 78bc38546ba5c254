/* Improving a chunk: a few hundred clusters that one thread works on alone.
 *
 * A try takes a record and the clusters nearest to it, pools their records, grows a small tree with
 * randomized scores over them and moves single records while that helps. It keeps the outcome if it
 * costs less than the old clusters, or, with a probability that falls with temperature and
 * difference, if it costs a little more (simulated annealing).
 *
 * Invariants: lane i of `lanes` shows cluster i, whose records are the segment clusters[i] of
 * `store`; lanes without a cluster have size 0, are empty and are listed in `idle`. All records of
 * the chunk are always in exactly one cluster; all clusters have at least `min_class` records and
 * satisfy the models. */
#ifndef SEARCH_WEAVE_WEAVE_CHUNK_H
#define SEARCH_WEAVE_WEAVE_CHUNK_H

#include <stdatomic.h>

#include "search/slots/lanes.h"
#include "search/weave/weave_internal.h"
#include "search/weave/weave_patch.h"
#include "search/weave/weave_tree.h"

/* Scratch space of one thread. The last group of fields is that of the chunk that is loaded. */
struct weave_chunk {
    const slots *slots;
    arena *memory; /* used by this thread alone */
    class_rules rules;
    weave_tree tree;
    weave_patch patch;
    uint16_t *weight, *closure; /* [stride] scratch of queries; of closures */

    rng rng;
    cluster_lanes lanes;
    segment *clusters; /* [lanes] */
    int32_t *costs;    /* [lanes] per record */
    uint32_t *idle;    /* [lanes] lanes without a cluster */
    uint32_t n_idle;
    uint32_t *store, *other; /* [store_capacity] */
    uint32_t store_used, store_capacity;
    uint32_t n_records;
};

/* What to do with a chunk. */
typedef struct weave_chunk_plan {
    uint32_t n_tries;
    uint32_t min_clusters, max_clusters; /* how many are pooled */
    double temperature;                  /* in unit costs; 0: keep only what costs less */
    double deadline;                     /* context_seconds at which to stop; 0: none */
    const atomic_bool *stop;             /* may be NULL */
} weave_chunk_plan;

/* For chunks of up to `n_clusters` clusters when loaded. `max_records` is the largest set that the
 * tree will be grown over. */
kith_status weave_chunk_init(weave_chunk *c, const slots *s, const problem *p, uint32_t min_class,
                             uint32_t n_clusters, uint32_t max_records, arena *memory,
                             kith_error *error);

/* Loads the clusters order[0 … count-1] of w. False if memory runs out. */
bool weave_chunk_load(weave_chunk *c, const weave_partition *w, const uint32_t *order,
                      uint32_t count);
/* Improves them. Given no deadline and no stop, the outcome depends only on the plan, the clusters
 * and the generator c->rng. */
void weave_chunk_improve(weave_chunk *c, const weave_chunk_plan *plan);
/* Writes members and sizes; returns the number of clusters and adds their cost to *total. */
uint32_t weave_chunk_unload(const weave_chunk *c, uint32_t *members, uint32_t *sizes,
                            int64_t *total);

#endif
