/* Clusters side by side, and the question every agglomeration asks: which of them is nearest?
 *
 * For every attribute and every level of its hierarchy below the root there is one slot. A cluster
 * is its closure's node in each slot, or SCAN_GIVEN_UP below the closure. Giving up a slot costs a
 * weight that depends on the asking cluster alone, so the cost of a union is one compare and one
 * masked addition per slot, many clusters at a time.
 *
 * The distance of two clusters is that of SEQ 6.2.1, the growth of the total cost if they unite:
 *     dist(A, B) = cost(A u B) - cost(A) - cost(B),  cost(C) = |C| gc(C).
 * Costs are integers (`unit` of them make 1 of the measure), so sums do not depend on their order.
 * Where the cost of a class depends on its members' sensitive values, there is one count per value
 * and one pass over the slots for each; otherwise `n_values` is 1 and the count is the size.
 *
 * Invariants (scan_check): positions from `count` on are free, those below may be; a free position
 * is infinitely far from everything. own[i] is the cost of the cluster at position i, and ids and
 * counts are those of its closure and members. Positions are never reordered except by
 * scan_compact, which keeps their order; ids and counts lie in blocks of SCAN_LANES positions. */
#ifndef SEARCH_CLUSTER_SCAN_H
#define SEARCH_CLUSTER_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/check.h"
#include "search/problem.h"

enum { SCAN_LANES = 32, SCAN_GIVEN_UP = -1, SCAN_NOWHERE = -2 };
#define SCAN_NONE UINT32_MAX

/* A cluster that looks for its nearest neighbour. */
typedef struct scan_query {
    int32_t *id;     /* [n_slots] */
    int32_t *weight; /* [n_values * n_slots] */
    int32_t *base;   /* [n_values] cost of one record of each value in the closure */
    double *count;   /* [n_values] */
    double own;      /* cost of the cluster */
} scan_query;

struct scan;
/* The distances of one block of positions, and the least of them: one function per instruction set,
 * same results. */
typedef double scan_kernel(double *distance, const struct scan *s, const scan_query *q,
                           uint32_t block);

typedef struct scan {
    const problem *problem;
    scan_kernel *kernel;
    uint32_t n_slots;
    uint32_t n_values;
    uint32_t *slot_start; /* [n_attributes] slot of level 0 */
    int32_t **cost;       /* [n_attributes][n_nodes * n_values] */
    double unit;
    uint32_t count;    /* positions in use, and free ones between them */
    uint32_t capacity; /* a multiple of SCAN_LANES */
    int32_t *ids;      /* [capacity * n_slots] block, slot, lane */
    double *members;   /* [capacity * n_values] block, value, lane */
    double *own;       /* [capacity] cost of each cluster; -infinity if free */
    uint32_t *node;    /* [capacity * n_attributes] closures */
} scan;

typedef struct scan_hit {
    uint32_t position; /* SCAN_NONE if all are free */
    double distance;
} scan_hit;

kith_status scan_init(scan *s, const problem *p, uint32_t capacity, arena *memory,
                      kith_error *error);
kith_status scan_query_init(scan_query *q, const scan *s, arena *memory, kith_error *error);

/* Puts a cluster at a position below the capacity (s->count: appends it). */
void scan_put(scan *s, uint32_t position, const uint32_t *node, const double *members);
/* The same for one record. */
void scan_put_record(scan *s, uint32_t position, uint32_t record);
void scan_remove(scan *s, uint32_t position);
bool scan_is_free(const scan *s, uint32_t position);
/* Removes the free positions; moved[old] becomes the new position or SCAN_NONE. */
void scan_compact(scan *s, uint32_t *moved);

/* Cost of a cluster with this closure. */
double scan_cost(const scan *s, const uint32_t *node, const double *members);
double scan_count(const scan *s, uint32_t position, uint32_t value);
/* Copies a cluster out, adds one to a copy. members[] has `n_values` entries. */
void scan_take(const scan *s, uint32_t position, uint32_t *node, double *members);
void scan_join(const scan *s, uint32_t *node, double *members, uint32_t position);
void scan_join_record(const scan *s, uint32_t *node, double *members, uint32_t record);
/* A record as a cluster of its own. */
void scan_record(const scan *s, uint32_t record, uint32_t *node, double *members);

void scan_ask(const scan *s, scan_query *q, const uint32_t *node, const double *members);
void scan_ask_position(const scan *s, scan_query *q, uint32_t position);
/* The nearest, or the farthest, among positions below `limit` except `skip`; the first of equals.
 */
scan_hit scan_nearest(const scan *s, const scan_query *q, uint32_t limit, uint32_t skip);
/* The nearest of the clusters for which `may` returns true; it is called only for clusters that are
 * nearer than the best so far. */
scan_hit scan_nearest_if(const scan *s, const scan_query *q, uint32_t limit, uint32_t skip,
                         bool (*may)(void *user, uint32_t position), void *user);
scan_hit scan_farthest(const scan *s, const scan_query *q, uint32_t limit);

scan_kernel scan_block_portable, scan_block_avx2, scan_block_avx512;
/* The kernel of this name (portable, avx2, avx512), or NULL if it is unknown or this processor
 * cannot run it. scan_init takes the one that cpu_choose_kernels returns. */
scan_kernel *scan_kernel_find(const char *name);

#if KITH_DEBUG
/* Aborts unless the invariants hold. Cost: positions x slots. */
void scan_check(const scan *s);
#endif

#endif
