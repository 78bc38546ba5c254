/* Searches blocks with the scoring of one instruction set. slots_<set>.c includes this file after
 * it has defined static uint32_t score_below(blocks, block, query, below, score[32]) which scores a
 * block and returns the set of its lanes with a score lower than `below`. If the set is empty,
 * score[] may be undefined. */
#ifndef SEARCH_SLOTS_SLOTS_SCAN_H
#define SEARCH_SLOTS_SLOTS_SCAN_H

#include "search/slots/slots_kernels.h"

static void scan_score(const cluster_lanes *b, uint32_t block, const query *q, int32_t *score)
{
    (void)score_below(b, block, q, INT32_MAX, score);
}

/* Inserts a neighbour into an ascending list of at most `limit`; returns the new length. */
static inline uint32_t insert(neighbour *list, uint32_t count, uint32_t limit, neighbour found)
{
    uint32_t at = count < limit ? count : limit - 1;
    for (; at > 0 && list[at - 1].score > found.score; at--)
        list[at] = list[at - 1];
    list[at] = found;
    return count < limit ? count + 1 : limit;
}

static uint32_t scan_nearest(const cluster_lanes *b, const query *q, neighbour *list,
                             uint32_t limit)
{
    uint32_t count = 0;
    int32_t below = LANES_FAR;
    int32_t score[LANES_PER_BLOCK] __attribute__((aligned(64)));
    for (uint32_t block = 0; block < b->n_blocks; block++) {
        uint32_t n_lanes = score_below(b, block, q, below, score);
        for (; n_lanes != 0; n_lanes &= n_lanes - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(n_lanes);
            if (score[lane] >= below)
                continue;
            neighbour found = {score[lane], block * LANES_PER_BLOCK + lane};
            count = insert(list, count, limit, found);
            below = count == limit ? list[limit - 1].score : below;
        }
    }
    return count;
}

/* Replaces `best` if a lane of the block is better. */
static inline void look(const bounded_lanes *b, uint32_t block, const query *q, uint32_t except,
                        neighbour *best)
{
    int32_t score[LANES_PER_BLOCK] __attribute__((aligned(64)));
    uint32_t n_lanes = score_below(&b->lanes, block, q, best->score, score);
    if (block == except / LANES_PER_BLOCK)
        n_lanes &= ~(UINT32_C(1) << except % LANES_PER_BLOCK);
    for (; n_lanes != 0; n_lanes &= n_lanes - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(n_lanes);
        if (score[lane] < best->score)
            *best = (neighbour){score[lane], block * LANES_PER_BLOCK + lane};
    }
}

/* The block with the lowest bound. A search that begins there soon has a low score, and skips most
 * other blocks. */
static inline uint32_t promising(const bounded_lanes *b, const query *q, int32_t below)
{
    int32_t bound[LANES_PER_BLOCK] __attribute__((aligned(64)));
    neighbour best = {below, LANES_NONE};
    for (uint32_t group = 0; group < b->bounds.n_blocks; group++) {
        uint32_t n_lanes = score_below(&b->bounds, group, q, best.score, bound);
        for (; n_lanes != 0; n_lanes &= n_lanes - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(n_lanes);
            if (bound[lane] < best.score)
                best = (neighbour){bound[lane], group * LANES_PER_BLOCK + lane};
        }
    }
    return best.lane;
}

static neighbour find_bounded(const bounded_lanes *b, const query *q, uint32_t except,
                              int32_t below)
{
    neighbour best = {below, LANES_NONE};
    uint32_t first = promising(b, q, below);
    if (first == LANES_NONE)
        return best;
    look(b, first, q, except, &best);
    for (uint32_t group = 0; group < b->bounds.n_blocks; group++) {
        int32_t bound[LANES_PER_BLOCK] __attribute__((aligned(64)));
        uint32_t n_lanes = score_below(&b->bounds, group, q, best.score, bound);
        for (; n_lanes != 0; n_lanes &= n_lanes - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(n_lanes);
            if (bound[lane] < best.score && group * LANES_PER_BLOCK + lane != first)
                look(b, group * LANES_PER_BLOCK + lane, q, except, &best);
        }
    }
    return best;
}

static neighbour scan_find(const bounded_lanes *b, const query *q, uint32_t except, int32_t below)
{
    below = below < LANES_FAR ? below : LANES_FAR;
    if (b->lanes.slots->monotone)
        return find_bounded(b, q, except, below);
    neighbour best = {below, LANES_NONE};
    for (uint32_t block = 0; block < b->lanes.n_blocks; block++)
        look(b, block, q, except, &best);
    return best;
}

/* Does a lane with this score come before the best one so far? */
static inline bool comes_first(int32_t score, uint32_t lane, const neighbour *best)
{
    return score < best->score || (score == best->score && lane < best->lane);
}

/* As look, with ties to the lower lane. `best->lane` is LANES_NONE as long as nothing is found,
 * and its score is then the limit that a lane must stay below. */
static inline void look_first(const bounded_lanes *b, uint32_t block, const query *q,
                              uint32_t except, neighbour *best)
{
    int32_t score[LANES_PER_BLOCK] __attribute__((aligned(64)));
    int32_t below = best->score + (best->lane != LANES_NONE);
    uint32_t n_lanes = score_below(&b->lanes, block, q, below, score);
    if (block == except / LANES_PER_BLOCK)
        n_lanes &= ~(UINT32_C(1) << except % LANES_PER_BLOCK);
    for (; n_lanes != 0; n_lanes &= n_lanes - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(n_lanes);
        uint32_t at = block * LANES_PER_BLOCK + lane;
        if (best->lane == LANES_NONE ? score[lane] < best->score
                                     : comes_first(score[lane], at, best))
            *best = (neighbour){score[lane], at};
    }
}

static neighbour find_first_bounded(const bounded_lanes *b, const query *q, uint32_t except,
                                    int32_t below)
{
    neighbour best = {below, LANES_NONE};
    uint32_t first = promising(b, q, below);
    if (first == LANES_NONE)
        return best;
    look_first(b, first, q, except, &best);
    for (uint32_t group = 0; group < b->bounds.n_blocks; group++) {
        int32_t bound[LANES_PER_BLOCK] __attribute__((aligned(64)));
        int32_t until = best.score + (best.lane != LANES_NONE);
        uint32_t n_lanes = score_below(&b->bounds, group, q, until, bound);
        for (; n_lanes != 0; n_lanes &= n_lanes - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(n_lanes),
                     block = group * LANES_PER_BLOCK + lane;
            bool hope = bound[lane] < best.score ||
                        (bound[lane] == best.score && block <= best.lane / LANES_PER_BLOCK);
            if (hope && block != first)
                look_first(b, block, q, except, &best);
        }
    }
    return best;
}

static neighbour scan_find_first(const bounded_lanes *b, const query *q, uint32_t except,
                                 int32_t below)
{
    below = below < LANES_FAR ? below : LANES_FAR;
    if (b->lanes.slots->monotone)
        return find_first_bounded(b, q, except, below);
    return scan_find(b, q, except, below); /* which goes through all lanes in order */
}

#endif
