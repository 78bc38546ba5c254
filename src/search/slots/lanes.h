/* Clusters side by side, so that one record is scored against 32 of them at once.
 *
 * Invariants: a block is 32 lanes; lane i of block b is lane b*32+i of the whole. ids holds the
 * block's closures slot by slot (32 ids of slot 0, 32 of slot 1, …). The score of a record in a
 * lane is
 *     factor * (cost of the closure widened by the record - minus) + plus,
 * which for a cluster of m records and cost c per record, with factor = m + 1 and minus = plus = c,
 * is the growth of the total cost when the record joins. Sizes count as at most BLOCKS_MAX_SIZE.
 * Empty lanes score BLOCKS_FAR or more, all others less. All scores are 32-bit integers, the same
 * on every instruction set. */
#ifndef SEARCH_SLOTS_LANES_H
#define SEARCH_SLOTS_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "search/slots/slots.h"

enum { BLOCKS_LANES = 32, BLOCKS_MAX_SIZE = 16000, BLOCKS_FAR = 1073000000 };
#define BLOCKS_NONE UINT32_MAX

struct kernels; /* slots_kernels.h */

typedef struct blocks {
    const slots *slots;
    const struct kernels *kernels;
    uint32_t blocks;   /* in use: lanes beyond are never looked at */
    uint32_t capacity; /* in blocks */
    uint16_t *ids;
    int32_t *factor, *minus, *plus;
} blocks;

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
kith_status blocks_init(blocks *b, const slots *s, uint32_t capacity, arena *memory,
                        kith_error *error);
/* Puts a cluster of `size` records and `cost` per record into a lane. */
void blocks_set(blocks *b, uint32_t lane, const uint16_t *closure, uint32_t size, int32_t cost);
void blocks_clear(blocks *b, uint32_t lane);

/* `weight` is scratch of slots.stride entries that must live as long as the query. */
query blocks_query(const slots *s, uint32_t record, uint16_t *weight);

/* Scores of the 32 lanes of one block. */
void blocks_score(const blocks *b, uint32_t block, const query *q, int32_t *score);
/* The up to `limit` lanes with the lowest scores, ascending, ties to the lower lane; empty lanes
 * are never among them. Returns how many. */
uint32_t blocks_nearest(const blocks *b, const query *q, neighbour *list, uint32_t limit);

/* Clusters with a bound per block: a signature is the closure of the block's closures, with the
 * smallest size and cost among them. Where costs rise along every path its score is a lower bound
 * for every lane of the block; elsewhere all blocks are looked at. */
typedef struct bounded {
    blocks lanes;
    blocks bounds; /* lane i bounds block i of lanes */
} bounded;

kith_status bounded_init(bounded *b, const slots *s, uint32_t lanes, arena *memory,
                         kith_error *error);
/* As blocks_set and blocks_clear. The signature is widened where it must be; it gets tight again
 * by bounded_tighten. */
void bounded_set(bounded *b, uint32_t lane, const uint16_t *closure, uint32_t size, int32_t cost);
void bounded_clear(bounded *b, uint32_t lane);
/* Computes the signature of a block anew. */
void bounded_tighten(bounded *b, uint32_t block);
/* The lane other than `except` (or BLOCKS_NONE) with the lowest score below `below`; lane is
 * BLOCKS_NONE if there is none. Among equal scores any, but always the same one. */
neighbour bounded_find(const bounded *b, const query *q, uint32_t except, int32_t below);
/* The same, and among equal scores the lowest lane: what the lanes hold decides alone, not how they
 * came to hold it. */
neighbour bounded_find_first(const bounded *b, const query *q, uint32_t except, int32_t below);

#endif
