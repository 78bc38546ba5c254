#include "search/slots/lanes.h"

#include "core/check.h"
#include "core/error.h"
#include "search/slots/slots_kernels.h"

/* An empty lane scores EMPTY_FACTOR * (cost + 65535) >= LANES_FAR for every record. */
enum { EMPTY_FACTOR = 16383, EMPTY_MINUS = -65535, LINE = 64 };

/* An array that begins at a cache line, as the aligned loads of the kernels require. */
static void *lines(arena *memory, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX - LINE) / size)
        return NULL;
    char *block = arena_alloc(memory, count * size + LINE);
    return block == NULL ? NULL : block + (LINE - (uintptr_t)block % LINE) % LINE;
}

kith_status lanes_init(cluster_lanes *b, const slots *s, uint32_t capacity, arena *memory,
                       kith_error *error)
{
    *b = (cluster_lanes){.slots = s, .kernels = slots_kernels_choose(), .capacity = capacity};
    size_t n_lanes = (size_t)capacity * LANES_PER_BLOCK;
    b->ids = TRY_ALLOC(lines(memory, n_lanes, s->count * sizeof *b->ids), error);
    b->factor = TRY_ALLOC(lines(memory, n_lanes, sizeof *b->factor), error);
    b->minus = TRY_ALLOC(lines(memory, n_lanes, sizeof *b->minus), error);
    b->plus = TRY_ALLOC(lines(memory, n_lanes, sizeof *b->plus), error);
    for (size_t lane = 0; lane < n_lanes; lane++)
        lanes_clear(b, (uint32_t)lane);
    return KITH_OK;
}

static uint16_t *lane_ids(const cluster_lanes *b, uint32_t lane)
{
    uint64_t block = lane / LANES_PER_BLOCK;
    return b->ids + block * b->slots->count * LANES_PER_BLOCK + lane % LANES_PER_BLOCK;
}

void lanes_set(cluster_lanes *b, uint32_t lane, const uint16_t *closure, uint32_t size,
               int32_t cost)
{
    ASSERT(lane < b->capacity * LANES_PER_BLOCK && cost >= 0 && cost <= UINT16_MAX);
    uint16_t *ids = lane_ids(b, lane);
    for (uint32_t i = 0; i < b->slots->count; i++) {
        ASSERT(closure[i] != SLOT_DEAD);
        ids[i * LANES_PER_BLOCK] = closure[i];
    }
    b->factor[lane] = 1 + (int32_t)(size < LANES_MAX_SIZE ? size : LANES_MAX_SIZE);
    b->minus[lane] = b->plus[lane] = cost;
}

void lanes_clear(cluster_lanes *b, uint32_t lane)
{
    uint16_t *ids = lane_ids(b, lane);
    for (uint32_t i = 0; i < b->slots->count; i++)
        ids[i * LANES_PER_BLOCK] = SLOT_NONE;
    b->factor[lane] = EMPTY_FACTOR;
    b->minus[lane] = EMPTY_MINUS;
    b->plus[lane] = 0;
}

query lanes_query(const slots *s, uint32_t record, uint16_t *weight)
{
    slots_weights(s, record, weight);
    return (query){slots_row(s, record), weight, s->base[record]};
}

void lanes_score(const cluster_lanes *b, uint32_t block, const query *q, int32_t *score)
{
    ASSERT(block < b->n_blocks);
    b->kernels->score(b, block, q, score);
}

uint32_t lanes_nearest(const cluster_lanes *b, const query *q, neighbour *list, uint32_t limit)
{
    return limit == 0 ? 0 : b->kernels->nearest(b, q, list, limit);
}

kith_status lanes_bounded_init(bounded_lanes *b, const slots *s, uint32_t n_lanes, arena *memory,
                               kith_error *error)
{
    uint32_t count = n_lanes / LANES_PER_BLOCK + 1;
    uint32_t n_groups = count / LANES_PER_BLOCK + 1;
    TRY(lanes_init(&b->lanes, s, count, memory, error));
    TRY(lanes_init(&b->bounds, s, n_groups, memory, error));
    b->lanes.n_blocks = count;
    b->bounds.n_blocks = n_groups;
    return KITH_OK;
}

static bool is_empty(const cluster_lanes *b, uint32_t lane)
{
    return b->minus[lane] == EMPTY_MINUS;
}

/* Cost of a signature, by the weights of what it keeps (slots_closure_cost). */
static int32_t signature_cost(const cluster_lanes *b, uint32_t lane)
{
    const slots *s = b->slots;
    const uint16_t *ids = lane_ids(b, lane);
    uint16_t cost = s->top;
    for (uint32_t i = 0; i < s->count; i++)
        if (ids[i * LANES_PER_BLOCK] != SLOT_NONE)
            cost = (uint16_t)(cost - s->slots[i].weight[ids[i * LANES_PER_BLOCK]]);
    return cost;
}

/* Makes the signature of a block cover one of its lanes too; returns whether it gave up a slot. */
static bool widen(bounded_lanes *b, uint32_t lane)
{
    uint32_t block = lane / LANES_PER_BLOCK;
    uint16_t *sign = lane_ids(&b->bounds, block);
    const uint16_t *ids = lane_ids(&b->lanes, lane);
    bool lost = false;
    for (uint32_t i = 0; i < b->lanes.slots->count; i++) {
        uint32_t at = i * LANES_PER_BLOCK;
        lost |= sign[at] != SLOT_NONE && sign[at] != ids[at];
        sign[at] = sign[at] == ids[at] ? ids[at] : SLOT_NONE;
    }
    if (b->lanes.factor[lane] < b->bounds.factor[block])
        b->bounds.factor[block] = b->lanes.factor[lane];
    if (b->lanes.plus[lane] < b->bounds.plus[block])
        b->bounds.plus[block] = b->lanes.plus[lane];
    return lost;
}

/* Begins a signature with one lane. */
static void begin_signature(bounded_lanes *b, uint32_t lane)
{
    uint32_t block = lane / LANES_PER_BLOCK;
    uint16_t *sign = lane_ids(&b->bounds, block);
    const uint16_t *ids = lane_ids(&b->lanes, lane);
    for (uint32_t i = 0; i < b->lanes.slots->count; i++)
        sign[i * LANES_PER_BLOCK] = ids[i * LANES_PER_BLOCK];
    b->bounds.factor[block] = b->lanes.factor[lane];
    b->bounds.minus[block] = b->lanes.minus[lane];
    b->bounds.plus[block] = b->lanes.plus[lane];
}

#if KITH_DEBUG
static void check_signature(const bounded_lanes *b, uint32_t block)
{
    const uint16_t *sign = lane_ids(&b->bounds, block);
    for (uint32_t lane = block * LANES_PER_BLOCK; lane < (block + 1) * LANES_PER_BLOCK; lane++) {
        if (is_empty(&b->lanes, lane))
            continue;
        const uint16_t *ids = lane_ids(&b->lanes, lane);
        ASSERT(b->bounds.factor[block] <= b->lanes.factor[lane]);
        ASSERT(b->bounds.plus[block] <= b->lanes.plus[lane]);
        for (uint32_t i = 0; i < b->lanes.slots->count; i++) {
            uint32_t at = i * LANES_PER_BLOCK;
            ASSERT(sign[at] == SLOT_NONE || sign[at] == ids[at]);
        }
    }
}
#endif

void lanes_bounded_set(bounded_lanes *b, uint32_t lane, const uint16_t *closure, uint32_t size,
                       int32_t cost)
{
    uint32_t block = lane / LANES_PER_BLOCK;
    lanes_set(&b->lanes, lane, closure, size, cost);
    if (is_empty(&b->bounds, block))
        begin_signature(b, lane);
    else if (widen(b, lane))
        b->bounds.minus[block] = signature_cost(&b->bounds, block);
    CHECK(check_signature(b, block));
}

void lanes_bounded_clear(bounded_lanes *b, uint32_t lane)
{
    lanes_clear(&b->lanes, lane);
}

void lanes_bounded_tighten(bounded_lanes *b, uint32_t block)
{
    lanes_clear(&b->bounds, block);
    for (uint32_t lane = block * LANES_PER_BLOCK; lane < (block + 1) * LANES_PER_BLOCK; lane++) {
        if (is_empty(&b->lanes, lane))
            continue;
        if (is_empty(&b->bounds, block))
            begin_signature(b, lane);
        else
            (void)widen(b, lane);
    }
    if (!is_empty(&b->bounds, block))
        b->bounds.minus[block] = signature_cost(&b->bounds, block);
    CHECK(check_signature(b, block));
}

neighbour lanes_bounded_find(const bounded_lanes *b, const query *q, uint32_t except, int32_t below)
{
    return b->lanes.kernels->find(b, q, except, below);
}

neighbour lanes_bounded_find_first(const bounded_lanes *b, const query *q, uint32_t except,
                                   int32_t below)
{
    return b->lanes.kernels->find_first(b, q, except, below);
}
