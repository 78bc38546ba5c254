/* Plain C, in loops that every compiler can vectorize. */
#include "search/slots/slots_kernels.h"

static uint32_t score_below(const cluster_lanes *b, uint32_t block, const query *q, int32_t below,
                            int32_t *score)
{
    const uint32_t count = b->slots->count;
    const uint16_t *ids = b->ids + (uint64_t)block * count * LANES_PER_BLOCK;
    uint16_t cost[LANES_PER_BLOCK];
    for (int lane = 0; lane < LANES_PER_BLOCK; lane++)
        cost[lane] = q->base;
    for (uint32_t i = 0; i < count; i++, ids += LANES_PER_BLOCK) {
        const uint16_t id = q->ids[i], weight = q->weight[i];
        for (int lane = 0; lane < LANES_PER_BLOCK; lane++)
            cost[lane] = (uint16_t)(cost[lane] + (ids[lane] == id ? 0 : weight));
    }
    const uint64_t first = (uint64_t)block * LANES_PER_BLOCK;
    const int32_t *factor = b->factor + first, *minus = b->minus + first, *plus = b->plus + first;
    uint32_t n_lanes = 0;
    for (int lane = 0; lane < LANES_PER_BLOCK; lane++)
        score[lane] = factor[lane] * ((int32_t)cost[lane] - minus[lane]) + plus[lane];
    for (int lane = 0; lane < LANES_PER_BLOCK; lane++)
        n_lanes |= (uint32_t)(score[lane] < below) << lane;
    return n_lanes;
}

#include "search/slots/slots_scan.h"

const kernels slots_portable = {"portable", scan_score, scan_nearest, scan_find, scan_find_first};
