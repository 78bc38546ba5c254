#include "search/slots/lanes.h"

#include <string.h>

#include "core/error.h"
#include "search/slots/slots_kernels.h"

enum { EMPTY_FACTOR = 16383, EMPTY_MINUS = -65535, LINE = 64 };

static void *lines(arena *memory, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX - LINE) / size)
        return NULL;
    char *block = arena_alloc(memory, count * size + LINE);
    return block == NULL ? NULL : block + (LINE - (uintptr_t)block % LINE) % LINE;
}

kith_status blocks_init(blocks *b, const slots *s, uint32_t capacity, arena *memory,
                        kith_error *error)
{
    *b = (blocks){.slots = s, .kernels = slots_kernels_choose(), .capacity = capacity};
    size_t lanes = (size_t)capacity * BLOCKS_LANES;
    b->ids = TRY_ALLOC(lines(memory, lanes, s->count * sizeof *b->ids), error);
    b->factor = TRY_ALLOC(lines(memory, lanes, sizeof *b->factor), error);
    b->minus = TRY_ALLOC(lines(memory, lanes, sizeof *b->minus), error);
    b->plus = TRY_ALLOC(lines(memory, lanes, sizeof *b->plus), error);
    for (size_t lane = 0; lane < lanes; lane++)
        blocks_clear(b, (uint32_t)lane);
    return KITH_OK;
}

static uint16_t *lane_ids(const blocks *b, uint32_t lane)
{
    uint64_t block = lane / BLOCKS_LANES;
    return b->ids + block * b->slots->count * BLOCKS_LANES + lane % BLOCKS_LANES;
}

void blocks_set(blocks *b, uint32_t lane, const uint16_t *closure, uint32_t size, int32_t cost)
{
    uint16_t *ids = lane_ids(b, lane);
    for (uint32_t i = 0; i < b->slots->count; i++)
        ids[i * BLOCKS_LANES] = closure[i];
    b->factor[lane] = 1 + (int32_t)(size < BLOCKS_MAX_SIZE ? size : BLOCKS_MAX_SIZE);
    b->minus[lane] = b->plus[lane] = cost;
}

void blocks_clear(blocks *b, uint32_t lane)
{
    uint16_t *ids = lane_ids(b, lane);
    for (uint32_t i = 0; i < b->slots->count; i++)
        ids[i * BLOCKS_LANES] = SLOT_NONE;
    b->factor[lane] = EMPTY_FACTOR;
    b->minus[lane] = EMPTY_MINUS;
    b->plus[lane] = 0;
}

query blocks_query(const slots *s, uint32_t record, uint16_t *weight)
{
    slots_weights(s, record, weight);
    return (query){slots_row(s, record), weight, s->base[record]};
}

void blocks_score(const blocks *b, uint32_t block, const query *q, int32_t *score)
{
    b->kernels->score(b, block, q, score);
}

uint32_t blocks_nearest(const blocks *b, const query *q, neighbour *list, uint32_t limit)
{
    return limit == 0 ? 0 : b->kernels->nearest(b, q, list, limit);
}

kith_status bounded_init(bounded *b, const slots *s, uint32_t lanes, arena *memory,
                         kith_error *error)
{
    uint32_t count = lanes / BLOCKS_LANES + 1;
    uint32_t groups = count / BLOCKS_LANES + 1;
    TRY(blocks_init(&b->lanes, s, count, memory, error));
    TRY(blocks_init(&b->bounds, s, groups, memory, error));
    b->lanes.blocks = count;
    b->bounds.blocks = groups;
    return KITH_OK;
}

static bool is_empty(const blocks *b, uint32_t lane)
{
    return b->minus[lane] == EMPTY_MINUS;
}

/* Cost of a signature, by the weights of what it keeps (slots_closure_cost). */
static int32_t signature_cost(const blocks *b, uint32_t lane)
{
    const slots *s = b->slots;
    const uint16_t *ids = lane_ids(b, lane);
    uint16_t cost = s->top;
    for (uint32_t i = 0; i < s->count; i++)
        if (ids[i * BLOCKS_LANES] != SLOT_NONE)
            cost = (uint16_t)(cost - s->slot[i].weight[ids[i * BLOCKS_LANES]]);
    return cost;
}

/* Makes the signature of a block cover one of its lanes too; returns whether it lost a i. */
static bool widen(bounded *b, uint32_t lane)
{
    uint32_t block = lane / BLOCKS_LANES;
    uint16_t *sign = lane_ids(&b->bounds, block);
    const uint16_t *ids = lane_ids(&b->lanes, lane);
    bool lost = false;
    for (uint32_t i = 0; i < b->lanes.slots->count; i++) {
        uint32_t at = i * BLOCKS_LANES;
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
static void sign_with(bounded *b, uint32_t lane)
{
    uint32_t block = lane / BLOCKS_LANES;
    uint16_t *sign = lane_ids(&b->bounds, block);
    const uint16_t *ids = lane_ids(&b->lanes, lane);
    for (uint32_t i = 0; i < b->lanes.slots->count; i++)
        sign[i * BLOCKS_LANES] = ids[i * BLOCKS_LANES];
    b->bounds.factor[block] = b->lanes.factor[lane];
    b->bounds.minus[block] = b->lanes.minus[lane];
    b->bounds.plus[block] = b->lanes.plus[lane];
}

void bounded_set(bounded *b, uint32_t lane, const uint16_t *closure, uint32_t size, int32_t cost)
{
    uint32_t block = lane / BLOCKS_LANES;
    blocks_set(&b->lanes, lane, closure, size, cost);
    if (is_empty(&b->bounds, block))
        sign_with(b, lane);
    else if (widen(b, lane))
        b->bounds.minus[block] = signature_cost(&b->bounds, block);
}

void bounded_clear(bounded *b, uint32_t lane)
{
    blocks_clear(&b->lanes, lane);
}

void bounded_tighten(bounded *b, uint32_t block)
{
    blocks_clear(&b->bounds, block);
    for (uint32_t lane = block * BLOCKS_LANES; lane < (block + 1) * BLOCKS_LANES; lane++) {
        if (is_empty(&b->lanes, lane))
            continue;
        if (is_empty(&b->bounds, block))
            sign_with(b, lane);
        else
            (void)widen(b, lane);
    }
    if (!is_empty(&b->bounds, block))
        b->bounds.minus[block] = signature_cost(&b->bounds, block);
}

neighbour bounded_find(const bounded *b, const query *q, uint32_t except, int32_t below)
{
    return b->lanes.kernels->find(b, q, except, below);
}

neighbour bounded_find_first(const bounded *b, const query *q, uint32_t except, int32_t below)
{
    return b->lanes.kernels->find_first(b, q, except, below);
}
