#include "search/weave/weave_patch.h"

#include <string.h>

#include "core/error.h"

kith_status patch_init(patch *p, const slots *s, const admit *a, uint32_t least, uint32_t capacity,
                       arena *memory, kith_error *error)
{
    *p = (patch){.slots = s, .admit = a, .least = least, .capacity = capacity};
    p->record = TRY_ALLOC(arena_array(memory, capacity, sizeof *p->record), error);
    p->next = TRY_ALLOC(arena_array(memory, capacity, sizeof *p->next), error);
    p->list = TRY_ALLOC(arena_array(memory, capacity, sizeof *p->list), error);
    p->ejected = TRY_ALLOC(arena_array(memory, capacity, sizeof *p->ejected), error);
    p->closure = TRY_ALLOC(
        arena_array(memory, (size_t)PATCH_CLUSTERS * s->stride, sizeof *p->closure), error);
    p->weight = TRY_ALLOC(arena_array(memory, s->stride, sizeof *p->weight), error);
    p->vector = TRY_ALLOC(arena_array(memory, 5 * (size_t)s->stride, sizeof *p->vector), error);
    return blocks_init(&p->lanes, s, PATCH_CLUSTERS / BLOCKS_LANES, memory, error);
}

static void show(patch *p, uint32_t c)
{
    blocks_set(&p->lanes, c, patch_closure(p, c), p->size[c], p->cost[c]);
}

static void close_cluster(patch *p, uint32_t c)
{
    uint16_t *closure = patch_closure(p, c);
    slots_start(p->slots, closure, p->record[p->head[c]]);
    for (uint32_t at = p->next[p->head[c]]; at != PATCH_END; at = p->next[at])
        slots_join(p->slots, closure, p->record[at]);
    p->cost[c] = slots_cost(p->slots, closure, p->record[p->head[c]]);
}

static void chain(patch *p, uint32_t c, const segment leaf)
{
    for (uint32_t i = 0; i < leaf.size; i++)
        p->next[leaf.first + i] = i + 1 < leaf.size ? leaf.first + i + 1 : PATCH_END;
    p->head[c] = leaf.first;
    p->size[c] = leaf.size;
    close_cluster(p, c);
}

bool patch_take(patch *p, const weave_tree *t, uint32_t *ejected)
{
    *ejected = 0;
    if (t->leaf.count > PATCH_CLUSTERS)
        return false;
    uint32_t at = 0;
    for (uint32_t c = 0; c < t->leaf.count; c++) {
        const segment leaf = t->leaf.item[c];
        while (at < leaf.first)
            p->ejected[(*ejected)++] = at++;
        chain(p, c, leaf);
        at += leaf.size;
    }
    while (at < p->records)
        p->ejected[(*ejected)++] = at++;
    p->clusters = t->leaf.count;
    return true;
}

static void show_all(patch *p)
{
    p->lanes.blocks = (p->clusters + BLOCKS_LANES - 1) / BLOCKS_LANES;
    for (uint32_t c = 0; c < p->clusters; c++)
        show(p, c);
    for (uint32_t lane = p->clusters; lane < p->lanes.blocks * BLOCKS_LANES; lane++)
        blocks_clear(&p->lanes, lane);
}

static void add(patch *p, uint32_t c, uint32_t at)
{
    p->next[at] = p->head[c];
    p->head[c] = at;
    p->size[c]++;
    slots_join(p->slots, patch_closure(p, c), p->record[at]);
    p->cost[c] = slots_cost(p->slots, patch_closure(p, c), p->record[at]);
    show(p, c);
}

uint32_t patch_members(const patch *p, uint32_t cluster, uint32_t *members)
{
    uint32_t count = 0;
    for (uint32_t at = p->head[cluster]; at != PATCH_END; at = p->next[at])
        members[count++] = p->record[at];
    return count;
}

static bool may_join(patch *p, uint32_t c, uint32_t record)
{
    if (p->admit->conditions == 0)
        return true;
    return admit_join_sound(p->admit, p->list, patch_members(p, c, p->list), record);
}

static bool may_leave(patch *p, uint32_t c, uint32_t record)
{
    if (p->admit->conditions == 0)
        return true;
    return admit_leave(p->admit, p->list, patch_members(p, c, p->list), record);
}

/* The cluster other than `except` where a record costs less than `below`, or PATCH_END. */
static uint32_t cheapest(patch *p, uint32_t record, uint32_t except, int32_t below)
{
    query q = blocks_query(p->slots, record, p->weight);
    uint32_t best = PATCH_END;
    int32_t score[BLOCKS_LANES] __attribute__((aligned(64)));
    for (uint32_t block = 0; block < p->lanes.blocks; block++) {
        blocks_score(&p->lanes, block, &q, score);
        uint32_t first = block * BLOCKS_LANES;
        for (uint32_t c = first; c < first + BLOCKS_LANES && c < p->clusters; c++) {
            if (score[c - first] >= below || c == except || !may_join(p, c, record))
                continue;
            below = score[c - first];
            best = c;
        }
    }
    return best;
}

bool patch_insert(patch *p, uint32_t ejected)
{
    show_all(p);
    for (uint32_t i = 0; i < ejected; i++) {
        uint32_t c = cheapest(p, p->record[p->ejected[i]], PATCH_END, BLOCKS_FAR);
        if (c == PATCH_END)
            return false;
        add(p, c, p->ejected[i]);
    }
    return true;
}

/* Which slots a cluster would win back without one of its records: those in which that record is
 * the only one that differs. */
typedef struct deviations {
    uint16_t *first;      /* closure of the first record: what the others are compared with */
    uint16_t *any, *many; /* lanes in which one, more than one record differs from it */
    uint16_t *alone;      /* lanes in which only the first record differs from the others */
} deviations;

static deviations deviate(patch *p, uint32_t c)
{
    const uint32_t lanes = p->slots->stride;
    uint16_t *v = p->vector;
    deviations d = {v, v + lanes, v + 2 * lanes, v + 3 * lanes};
    uint16_t *second = v + 4 * lanes;
    uint32_t at = p->next[p->head[c]];
    slots_start(p->slots, d.first, p->record[p->head[c]]);
    slots_start(p->slots, second, p->record[at]);
    memset(d.any, 0, 3 * (size_t)lanes * sizeof *v);
    for (; at != PATCH_END; at = p->next[at]) {
        const uint16_t *row = slots_row(p->slots, p->record[at]);
        for (uint32_t i = 0; i < lanes; i++) {
            uint16_t differs = row[i] != d.first[i] ? 0xFFFF : 0;
            d.many[i] |= d.any[i] & differs;
            d.any[i] |= differs;
            d.alone[i] |= row[i] != second[i] ? 0xFFFF : 0;
        }
    }
    for (uint32_t i = 0; i < lanes; i++) {
        d.alone[i] = (uint16_t)(~d.alone[i] & d.any[i]);
        d.any[i] = (uint16_t)(d.any[i] & ~d.many[i]);
    }
    return d;
}

/* Cost per record of the cluster without the record at `at`. */
static int32_t cost_without(const patch *p, uint32_t c, const deviations *d, uint32_t at)
{
    const slots *s = p->slots;
    bool first = at == p->head[c];
    const uint16_t *row = slots_row(s, p->record[at]);
    const uint16_t *other = slots_row(s, p->record[first ? p->next[at] : p->head[c]]);
    uint16_t cost = (uint16_t)p->cost[c];
    for (uint32_t i = 0; i < s->count; i++)
        if (first ? d->alone[i] != 0 : d->any[i] != 0 && row[i] != d->first[i])
            cost = (uint16_t)(cost - s->slot[i].weight[other[i]]);
    return cost;
}

static void take_out(patch *p, uint32_t c, uint32_t before, uint32_t at)
{
    if (before == PATCH_END)
        p->head[c] = p->next[at];
    else
        p->next[before] = p->next[at];
    p->size[c]--;
    close_cluster(p, c);
    show(p, c);
}

/* Moves the first record of a cluster for which that pays; false if there is none. */
static bool move_one(patch *p, uint32_t c)
{
    deviations d = deviate(p, c);
    int64_t now = (int64_t)p->cost[c] * p->size[c];
    uint32_t before = PATCH_END;
    for (uint32_t at = p->head[c]; at != PATCH_END; before = at, at = p->next[at]) {
        int64_t gain = now - (int64_t)cost_without(p, c, &d, at) * (p->size[c] - 1);
        if (gain <= 0)
            continue;
        int32_t below = gain < BLOCKS_FAR ? (int32_t)gain : BLOCKS_FAR;
        uint32_t to = cheapest(p, p->record[at], c, below);
        if (to == PATCH_END || !may_leave(p, c, p->record[at]))
            continue;
        take_out(p, c, before, at);
        add(p, to, at);
        return true;
    }
    return false;
}

void patch_move(patch *p, uint32_t passes)
{
    for (bool moved = true; moved && passes > 0; passes--) {
        moved = false;
        for (uint32_t c = 0; c < p->clusters; c++)
            if (p->size[c] > p->least && p->size[c] > 1)
                moved |= move_one(p, c);
    }
}

int64_t patch_total(const patch *p)
{
    int64_t sum = 0;
    for (uint32_t c = 0; c < p->clusters; c++)
        sum += (int64_t)p->cost[c] * p->size[c];
    return sum;
}
