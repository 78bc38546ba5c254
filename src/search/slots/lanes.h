/* Clusters in blocks of 32 lanes, so that a record is scored against 32 clusters at once.
 *
 * Invariants: a block is 32 lanes; lane i of block b is lane b*32+i of the whole. ids holds the
 * block's closures slot by slot (32 ids of slot 0, 32 of slot 1, …). The score of a record in a
 * lane is
 *     factor * (cost of the closure widened by the record - minus) + plus,
 * which for a cluster of m records and cost c per record, with factor = m + 1 and minus = plus = c,
 * is the growth of the total cost when the record joins. Sizes count as at most LANES_MAX_SIZE.
 * Empty lanes score LANES_FAR or more, all others less. All scores are 32-bit integers, the same
 * on every instruction set. */
#ifndef SEARCH_SLOTS_LANES_H
#define SEARCH_SLOTS_LANES_H

#include <stdint.h>

#include "core/arena.h"
#include "search/slots/slots.h"

enum { LANES_PER_BLOCK = 32, LANES_MAX_SIZE = 16000, LANES_FAR = 1073000000 };
#define LANES_NONE UINT32_MAX

struct kernels; /* slots_kernels.h */

typedef struct cluster_lanes {
    const slots *slots;
    const struct kernels *kernels;
    uint32_t n_blocks; /* in use: no search reads lanes beyond */
    uint32_t capacity; /* in blocks */
    uint16_t *ids;
    int32_t *factor, *minus, *plus;
} cluster_lanes;

/* A record about to be scored. */
typedef struct query {
    const uint16_t *ids;
    const uint16_t *weight;
    uint16_t base;
} query;

typedef struct neighbour {
    int32_t score;
    uint32_t lane;
} neighbour;

/* Room for `capacity` blocks, all of them empty and none in use. */
kith_status lanes_init(cluster_lanes *b, const slots *s, uint32_t capacity, arena *memory,
                       kith_error *error);
/* Puts a cluster of `size` records and `cost` per record into a lane. */
void lanes_set(cluster_lanes *b, uint32_t lane, const uint16_t *closure, uint32_t size,
               int32_t cost);
void lanes_clear(cluster_lanes *b, uint32_t lane);

/* `weight` is scratch of slots.stride entries that must live as long as the query. */
query lanes_query(const slots *s, uint32_t record, uint16_t *weight);

/* Scores of the 32 lanes of one block. */
void lanes_score(const cluster_lanes *b, uint32_t block, const query *q, int32_t *score);
/* The up to `limit` lanes with the lowest scores, ascending, ties to the lower lane; empty lanes
 * are never among them. Returns how many. */
uint32_t lanes_nearest(const cluster_lanes *b, const query *q, neighbour *list, uint32_t limit);

/* Clusters with a bound per block: a signature is the closure of the block's closures, with the
 * smallest size and cost among them. Where costs rise along every path its score is a lower bound
 * for every lane of the block; otherwise a search scores all blocks.
 * Invariant: the signature of a block covers every lane of it that is not empty. */
typedef struct bounded_lanes {
    cluster_lanes lanes;
    cluster_lanes bounds; /* lane i bounds block i of lanes */
} bounded_lanes;

kith_status lanes_bounded_init(bounded_lanes *b, const slots *s, uint32_t n_lanes, arena *memory,
                               kith_error *error);
/* As lanes_set and lanes_clear. The signature is widened if needed, but never narrowed;
 * lanes_bounded_tighten does that. */
void lanes_bounded_set(bounded_lanes *b, uint32_t lane, const uint16_t *closure, uint32_t size,
                       int32_t cost);
void lanes_bounded_clear(bounded_lanes *b, uint32_t lane);
/* Computes the signature of a block from its lanes. */
void lanes_bounded_tighten(bounded_lanes *b, uint32_t block);
/* The lane other than `except` (or LANES_NONE) with the lowest score below `below`; lane is
 * LANES_NONE if there is none. Which of several equal scores it returns is not specified, but
 * deterministic. */
neighbour lanes_bounded_find(const bounded_lanes *b, const query *q, uint32_t except,
                             int32_t below);
/* The same, and among equal scores the lowest lane: the result depends on the content of the lanes
 * alone, not on their history. */
neighbour lanes_bounded_find_first(const bounded_lanes *b, const query *q, uint32_t except,
                                   int32_t below);

#endif
