/* The body of the scan kernels, in vectors of SCAN_BYTES bytes; included once per instruction set
 * with SCAN_KERNEL naming the function. */
#include <string.h>

#include "search/cluster/scan.h"

enum { PART = SCAN_BYTES / 4, PARTS = SCAN_LANES / PART };

typedef int32_t lanes __attribute__((vector_size(SCAN_BYTES)));

/* Cost per record of every union of the query with a cluster of the block, for one value. */
static inline void union_costs(int32_t *cost, const int32_t *ids, uint32_t n_slots,
                               const int32_t *id, const int32_t *weight, int32_t base)
{
    lanes sum[PARTS];
    for (int part = 0; part < PARTS; part++)
        sum[part] = (lanes){0} + base;
    for (uint32_t slot = 0; slot < n_slots; slot++) {
        lanes mine = (lanes){0} + id[slot], lost = (lanes){0} + weight[slot];
        for (int part = 0; part < PARTS; part++) {
            lanes theirs;
            memcpy(&theirs, ids + part * PART, sizeof theirs);
            sum[part] += (theirs != mine) & lost;
        }
        ids += SCAN_LANES;
    }
    memcpy(cost, sum, sizeof sum);
}

typedef double doubles __attribute__((vector_size(SCAN_BYTES)));
typedef int64_t masks __attribute__((vector_size(SCAN_BYTES)));

static inline double min_of(const double *distance)
{
    enum { WIDE = SCAN_BYTES / 8 };
    doubles low, next;
    memcpy(&low, distance, sizeof low);
    for (int lane = WIDE; lane < SCAN_LANES; lane += WIDE) {
        memcpy(&next, distance + lane, sizeof next);
        masks less = next < low;
        low = (doubles)(((masks)next & less) | ((masks)low & ~less));
    }
    double min = low[0];
    for (int i = 1; i < WIDE; i++)
        min = low[i] < min ? low[i] : min;
    return min;
}

double SCAN_KERNEL(double *distance, const scan *s, const scan_query *q, uint32_t block)
{
    const int32_t *ids = s->ids + (size_t)block * s->n_slots * SCAN_LANES;
    const double *members = s->members + (size_t)block * s->n_values * SCAN_LANES;
    const double *own = s->own + (size_t)block * SCAN_LANES;
    for (int lane = 0; lane < SCAN_LANES; lane++)
        distance[lane] = -own[lane] - q->own;
    for (uint32_t v = 0; v < s->n_values; v++) {
        int32_t cost[SCAN_LANES];
        union_costs(cost, ids, s->n_slots, q->id, q->weight + (size_t)v * s->n_slots, q->base[v]);
        for (int lane = 0; lane < SCAN_LANES; lane++)
            distance[lane] += (q->count[v] + members[lane]) * (double)cost[lane];
        members += SCAN_LANES;
    }
    return min_of(distance);
}
