/* Searching blocks, on top of one instruction set's scoring. Included by slots_<set>.c, after it
 * has defined
 *     static uint32_t score_below(blocks, block, query, below, score[32])
 * which scores a block and returns the set of its lanes with a score lower than `below`; where that
 * is empty score[] may be left alone. */
#ifndef SEARCH_SLOTS_SLOTS_SCAN_H
#define SEARCH_SLOTS_SLOTS_SCAN_H

#include "search/slots/slots_kernels.h"

static void scan_score(const blocks *b, uint32_t block, const query *q, int32_t *score)
{
    (void)score_below(b, block, q, INT32_MAX, score);
}

/* Puts a neighbour into its place of an ascending list of at most `limit`. */
static inline uint32_t keep(neighbour *list, uint32_t count, uint32_t limit, neighbour found)
{
    uint32_t at = count < limit ? count : limit - 1;
    for (; at > 0 && list[at - 1].score > found.score; at--)
        list[at] = list[at - 1];
    list[at] = found;
    return count < limit ? count + 1 : limit;
}

static uint32_t scan_nearest(const blocks *b, const query *q, neighbour *list, uint32_t limit)
{
    uint32_t count = 0;
    int32_t below = BLOCKS_FAR;
    int32_t score[BLOCKS_LANES] __attribute__((aligned(64)));
    for (uint32_t block = 0; block < b->blocks; block++) {
        uint32_t lanes = score_below(b, block, q, below, score);
        for (; lanes != 0; lanes &= lanes - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(lanes);
            if (score[lane] >= below)
                continue;
            neighbour found = {score[lane], block * BLOCKS_LANES + lane};
            count = keep(list, count, limit, found);
            below = count == limit ? list[limit - 1].score : below;
        }
    }
    return count;
}

/* Improves `best` by the lanes of one block. */
static inline void look(const bounded *b, uint32_t block, const query *q, uint32_t except,
                        neighbour *best)
{
    int32_t score[BLOCKS_LANES] __attribute__((aligned(64)));
    uint32_t lanes = score_below(&b->lanes, block, q, best->score, score);
    if (block == except / BLOCKS_LANES)
        lanes &= ~(UINT32_C(1) << except % BLOCKS_LANES);
    for (; lanes != 0; lanes &= lanes - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        if (score[lane] < best->score)
            *best = (neighbour){score[lane], block * BLOCKS_LANES + lane};
    }
}

/* The block with the lowest bound: the best place to begin. */
static inline uint32_t promising(const bounded *b, const query *q, int32_t below)
{
    int32_t bound[BLOCKS_LANES] __attribute__((aligned(64)));
    neighbour best = {below, BLOCKS_NONE};
    for (uint32_t group = 0; group < b->bounds.blocks; group++) {
        uint32_t lanes = score_below(&b->bounds, group, q, best.score, bound);
        for (; lanes != 0; lanes &= lanes - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(lanes);
            if (bound[lane] < best.score)
                best = (neighbour){bound[lane], group * BLOCKS_LANES + lane};
        }
    }
    return best.lane;
}

static neighbour find_bounded(const bounded *b, const query *q, uint32_t except, int32_t below)
{
    neighbour best = {below, BLOCKS_NONE};
    uint32_t first = promising(b, q, below);
    if (first == BLOCKS_NONE)
        return best;
    look(b, first, q, except, &best);
    for (uint32_t group = 0; group < b->bounds.blocks; group++) {
        int32_t bound[BLOCKS_LANES] __attribute__((aligned(64)));
        uint32_t lanes = score_below(&b->bounds, group, q, best.score, bound);
        for (; lanes != 0; lanes &= lanes - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(lanes);
            if (bound[lane] < best.score && group * BLOCKS_LANES + lane != first)
                look(b, group * BLOCKS_LANES + lane, q, except, &best);
        }
    }
    return best;
}

static neighbour scan_find(const bounded *b, const query *q, uint32_t except, int32_t below)
{
    below = below < BLOCKS_FAR ? below : BLOCKS_FAR;
    if (b->lanes.slots->monotone)
        return find_bounded(b, q, except, below);
    neighbour best = {below, BLOCKS_NONE};
    for (uint32_t block = 0; block < b->lanes.blocks; block++)
        look(b, block, q, except, &best);
    return best;
}

/* Does a lane with this score come before the best one so far? */
static inline bool comes_first(int32_t score, uint32_t lane, const neighbour *best)
{
    return score < best->score || (score == best->score && lane < best->lane);
}

/* As look, with ties to the lower lane. `best->lane` is BLOCKS_NONE as long as nothing is found,
 * and its score then the bound, which may not be reached. */
static inline void look_first(const bounded *b, uint32_t block, const query *q, uint32_t except,
                              neighbour *best)
{
    int32_t score[BLOCKS_LANES] __attribute__((aligned(64)));
    int32_t below = best->score + (best->lane != BLOCKS_NONE);
    uint32_t lanes = score_below(&b->lanes, block, q, below, score);
    if (block == except / BLOCKS_LANES)
        lanes &= ~(UINT32_C(1) << except % BLOCKS_LANES);
    for (; lanes != 0; lanes &= lanes - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        uint32_t at = block * BLOCKS_LANES + lane;
        if (best->lane == BLOCKS_NONE ? score[lane] < best->score
                                      : comes_first(score[lane], at, best))
            *best = (neighbour){score[lane], at};
    }
}

static neighbour find_first_bounded(const bounded *b, const query *q, uint32_t except,
                                    int32_t below)
{
    neighbour best = {below, BLOCKS_NONE};
    uint32_t first = promising(b, q, below);
    if (first == BLOCKS_NONE)
        return best;
    look_first(b, first, q, except, &best);
    for (uint32_t group = 0; group < b->bounds.blocks; group++) {
        int32_t bound[BLOCKS_LANES] __attribute__((aligned(64)));
        int32_t until = best.score + (best.lane != BLOCKS_NONE);
        uint32_t lanes = score_below(&b->bounds, group, q, until, bound);
        for (; lanes != 0; lanes &= lanes - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(lanes), block = group * BLOCKS_LANES + lane;
            bool hope = bound[lane] < best.score ||
                        (bound[lane] == best.score && block <= best.lane / BLOCKS_LANES);
            if (hope && block != first)
                look_first(b, block, q, except, &best);
        }
    }
    return best;
}

static neighbour scan_find_first(const bounded *b, const query *q, uint32_t except, int32_t below)
{
    below = below < BLOCKS_FAR ? below : BLOCKS_FAR;
    if (b->lanes.slots->monotone)
        return find_first_bounded(b, q, except, below);
    return scan_find(b, q, except, below); /* goes through all lanes in order */
}

#endif
