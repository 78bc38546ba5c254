#include "search/weave/weave_patch.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"

kith_status weave_patch_init(weave_patch *p, const slots *s, const class_rules *a,
                             uint32_t min_class, uint32_t capacity, arena *memory,
                             kith_error *error)
{
    *p = (weave_patch){.slots = s, .rules = a, .min_class = min_class, .capacity = capacity};
    p->records = TRY_ARRAY(p->records, memory, capacity, error);
    p->next = TRY_ARRAY(p->next, memory, capacity, error);
    p->list = TRY_ARRAY(p->list, memory, capacity, error);
    p->ejected = TRY_ARRAY(p->ejected, memory, capacity, error);
    p->closure = TRY_ARRAY(p->closure, memory, (size_t)WEAVE_PATCH_CLUSTERS * s->stride, error);
    p->weight = TRY_ARRAY(p->weight, memory, s->stride, error);
    p->vector = TRY_ARRAY(p->vector, memory, 5 * (size_t)s->stride, error);
    return lanes_init(&p->lanes, s, WEAVE_PATCH_CLUSTERS / LANES_PER_BLOCK, memory, error);
}

/* Lets queries see a cluster as it is now. */
static void weave_patch_show(weave_patch *p, uint32_t c)
{
    lanes_set(&p->lanes, c, weave_patch_closure(p, c), p->size[c], p->cost[c]);
}

/* Computes closure and cost of a cluster anew. */
static void close_cluster(weave_patch *p, uint32_t c)
{
    uint16_t *closure = weave_patch_closure(p, c);
    slots_start(p->slots, closure, p->records[p->head[c]]);
    for (uint32_t at = p->next[p->head[c]]; at != WEAVE_PATCH_END; at = p->next[at])
        slots_join(p->slots, closure, p->records[at]);
    p->cost[c] = slots_cost(p->slots, closure, p->records[p->head[c]]);
}

bool weave_patch_take(weave_patch *p, const weave_tree *t, uint32_t *ejected)
{
    *ejected = 0;
    if (t->leaves.count > WEAVE_PATCH_CLUSTERS)
        return false;
    uint32_t at = 0;
    for (uint32_t c = 0; c < t->leaves.count; c++) {
        const segment leaf = t->leaves.items[c];
        while (at < leaf.first)
            p->ejected[(*ejected)++] = at++;
        /* Makes a cluster of the records of a leaf. */
        for (uint32_t i = 0; i < leaf.size; i++)
            p->next[leaf.first + i] = i + 1 < leaf.size ? leaf.first + i + 1 : WEAVE_PATCH_END;
        p->head[c] = leaf.first;
        p->size[c] = leaf.size;
        close_cluster(p, c);
        at += leaf.size;
    }
    while (at < p->n_records)
        p->ejected[(*ejected)++] = at++;
    p->n_clusters = t->leaves.count;
    return true;
}

/* Adds a record, by its place, to a cluster. */
static void weave_patch_add(weave_patch *p, uint32_t c, uint32_t at)
{
    p->next[at] = p->head[c];
    p->head[c] = at;
    p->size[c]++;
    slots_join(p->slots, weave_patch_closure(p, c), p->records[at]);
    p->cost[c] = slots_cost(p->slots, weave_patch_closure(p, c), p->records[at]);
    weave_patch_show(p, c);
}

uint32_t weave_patch_members(const weave_patch *p, uint32_t cluster, uint32_t *members)
{
    uint32_t count = 0;
    for (uint32_t at = p->head[cluster]; at != WEAVE_PATCH_END; at = p->next[at])
        members[count++] = p->records[at];
    return count;
}

/* Would the models hold with the record, and without it? */
static bool may_join(weave_patch *p, uint32_t c, uint32_t record)
{
    if (p->rules->grows)
        return true;
    return class_rules_join_valid(p->rules, p->list, weave_patch_members(p, c, p->list), record);
}

static bool may_leave(weave_patch *p, uint32_t c, uint32_t record)
{
    if (p->rules->n_conditions == 0)
        return true;
    return class_rules_leave(p->rules, p->list, weave_patch_members(p, c, p->list), record);
}

/* The cluster other than `except` where a record costs less than `below`, or WEAVE_PATCH_END. */
static uint32_t weave_patch_cheapest(weave_patch *p, uint32_t record, uint32_t except,
                                     int32_t below)
{
    query q = lanes_query(p->slots, record, p->weight);
    uint32_t best = WEAVE_PATCH_END;
    int32_t score[LANES_PER_BLOCK] __attribute__((aligned(64)));
    for (uint32_t block = 0; block < p->lanes.n_blocks; block++) {
        lanes_score(&p->lanes, block, &q, score);
        uint32_t first = block * LANES_PER_BLOCK;
        for (uint32_t c = first; c < first + LANES_PER_BLOCK && c < p->n_clusters; c++) {
            if (score[c - first] >= below || c == except || !may_join(p, c, record))
                continue;
            below = score[c - first];
            best = c;
        }
    }
    return best;
}

#if KITH_DEBUG
static void check_patch(const weave_patch *p)
{
    uint16_t *closure = calloc(p->slots->stride, sizeof *closure);
    if (closure == NULL) /* a check must not make a run fail that could go on */
        return;
    for (uint32_t c = 0; c < p->n_clusters; c++) {
        uint32_t size = 1, at = p->head[c];
        slots_start(p->slots, closure, p->records[at]);
        while ((at = p->next[at]) != WEAVE_PATCH_END) {
            ASSERT(at < p->n_records);
            slots_join(p->slots, closure, p->records[at]);
            size++;
        }
        ASSERT(size == p->size[c] && size >= p->min_class);
        ASSERT(memcmp(closure, weave_patch_closure(p, c), p->slots->stride * sizeof *closure) == 0);
        ASSERT(p->cost[c] == slots_cost(p->slots, closure, p->records[p->head[c]]));
    }
    free(closure);
}
#endif

bool weave_patch_insert(weave_patch *p, uint32_t ejected)
{
    /* Lanes behind the last cluster may hold clusters of the try before: they are cleared. */
    p->lanes.n_blocks = (p->n_clusters + LANES_PER_BLOCK - 1) / LANES_PER_BLOCK;
    for (uint32_t c = 0; c < p->n_clusters; c++)
        weave_patch_show(p, c);
    for (uint32_t lane = p->n_clusters; lane < p->lanes.n_blocks * LANES_PER_BLOCK; lane++)
        lanes_clear(&p->lanes, lane);
    for (uint32_t i = 0; i < ejected; i++) {
        uint32_t c = weave_patch_cheapest(p, p->records[p->ejected[i]], WEAVE_PATCH_END, LANES_FAR);
        if (c == WEAVE_PATCH_END)
            return false;
        weave_patch_add(p, c, p->ejected[i]);
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

/* Marks where a row differs from the first and the second one. The vectors do not overlap, which
 * lets the compiler do many lanes at once. */
static void mark_row(const uint16_t *restrict row, const uint16_t *restrict first,
                     const uint16_t *restrict second, uint16_t *restrict any,
                     uint16_t *restrict many, uint16_t *restrict alone, uint32_t n_lanes)
{
    for (uint32_t i = 0; i < n_lanes; i++) {
        const uint16_t differs = row[i] != first[i] ? 0xFFFF : 0;
        many[i] = (uint16_t)(many[i] | (any[i] & differs));
        any[i] |= differs;
        alone[i] |= row[i] != second[i] ? 0xFFFF : 0;
    }
}

/* One pass over the records tells for all of them at once what the cluster would cost without each:
 * recomputing closures would take a pass per record. The first record needs vectors of its own,
 * since it is what the others are compared with. A cluster has at least two records here. */
static deviations find_deviations(weave_patch *p, uint32_t c)
{
    const uint32_t n_lanes = p->slots->stride;
    uint16_t *v = p->vector;
    deviations d = {v, v + n_lanes, v + 2 * n_lanes, v + 3 * n_lanes};
    uint16_t *second = v + 4 * n_lanes;
    uint32_t at = p->next[p->head[c]];
    slots_start(p->slots, d.first, p->records[p->head[c]]);
    slots_start(p->slots, second, p->records[at]);
    memset(d.any, 0, 3 * (size_t)n_lanes * sizeof *v);
    for (; at != WEAVE_PATCH_END; at = p->next[at])
        mark_row(slots_row(p->slots, p->records[at]), d.first, second, d.any, d.many, d.alone,
                 n_lanes);
    for (uint32_t i = 0; i < n_lanes; i++) {
        d.alone[i] = (uint16_t)(~d.alone[i] & d.any[i]);
        d.any[i] = (uint16_t)(d.any[i] & ~d.many[i]);
    }
    return d;
}

/* Cost per record of the cluster without the record at `at`. */
static int32_t cost_without(const weave_patch *p, uint32_t c, const deviations *d, uint32_t at)
{
    const slots *s = p->slots;
    bool first = at == p->head[c];
    const uint16_t *row = slots_row(s, p->records[at]);
    const uint16_t *other = slots_row(s, p->records[first ? p->next[at] : p->head[c]]);
    uint16_t cost = (uint16_t)p->cost[c];
    for (uint32_t i = 0; i < s->count; i++)
        if (first ? d->alone[i] != 0 : d->any[i] != 0 && row[i] != d->first[i])
            cost = (uint16_t)(cost - s->slots[i].weight[other[i]]);
    return cost;
}

/* Takes a record out of a cluster; `before` precedes it in the list, or is WEAVE_PATCH_END. */
static void take_out(weave_patch *p, uint32_t c, uint32_t before, uint32_t at)
{
    if (before == WEAVE_PATCH_END)
        p->head[c] = p->next[at];
    else
        p->next[before] = p->next[at];
    p->size[c]--;
    close_cluster(p, c);
    weave_patch_show(p, c);
}

/* Moves the first record of a cluster that costs less elsewhere; false if there is none. */
static bool move_one(weave_patch *p, uint32_t c)
{
    deviations d = find_deviations(p, c);
    int64_t now = (int64_t)p->cost[c] * p->size[c];
    uint32_t before = WEAVE_PATCH_END;
    for (uint32_t at = p->head[c]; at != WEAVE_PATCH_END; before = at, at = p->next[at]) {
        int64_t gain = now - (int64_t)cost_without(p, c, &d, at) * (p->size[c] - 1);
        if (gain <= 0)
            continue;
        int32_t below = gain < LANES_FAR ? (int32_t)gain : LANES_FAR;
        uint32_t to = weave_patch_cheapest(p, p->records[at], c, below);
        if (to == WEAVE_PATCH_END || !may_leave(p, c, p->records[at]))
            continue;
        take_out(p, c, before, at);
        weave_patch_add(p, to, at);
        return true;
    }
    return false;
}

void weave_patch_move(weave_patch *p, uint32_t n_passes)
{
    CHECK(check_patch(p));
    for (bool moved = true; moved && n_passes > 0; n_passes--) {
        moved = false;
        for (uint32_t c = 0; c < p->n_clusters; c++)
            if (p->size[c] > p->min_class && p->size[c] > 1)
                moved |= move_one(p, c);
    }
    CHECK(check_patch(p));
}

int64_t weave_patch_total(const weave_patch *p)
{
    int64_t sum = 0;
    for (uint32_t c = 0; c < p->n_clusters; c++)
        sum += (int64_t)p->cost[c] * p->size[c];
    return sum;
}
