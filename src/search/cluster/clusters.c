#include "search/cluster/clusters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

/* Changes the room of all arrays by cluster; their entries stay. */
static kith_status set_capacity(clusters *c, uint32_t capacity, kith_error *error)
{
    const uint32_t old = c->capacity;
    const size_t stride = c->slots->stride;
    TRY_RESIZE(c->idle, c->memory, old, capacity, error);
    TRY_RESIZE(c->size, c->memory, old, capacity, error);
    if (c->unit != NULL)
        TRY_RESIZE(c->extent, c->memory, old, capacity, error);
    else
        c->extent = c->size;
    TRY_RESIZE(c->held, c->memory, old, capacity, error);
    TRY_RESIZE(c->room, c->memory, old, capacity, error);
    TRY_RESIZE(c->member, c->memory, old, capacity, error);
    TRY_RESIZE(c->closure, c->memory, old * stride, capacity * stride, error);
    TRY_RESIZE(c->cost, c->memory, old, capacity, error);
    TRY_RESIZE(c->lane, c->memory, old, capacity, error);
    if (c->value_counts != NULL) {
        const size_t values = c->value_counts->n_values;
        TRY_RESIZE(c->row, c->memory, old * values, capacity * values, error);
    }
    c->capacity = capacity;
    return KITH_OK;
}

/* The entropy of a slot's ids in bits, summed over all records. */
static double slot_bits(const slots *s, uint32_t which, uint32_t *count)
{
    double bits = 0;
    memset(count, 0, s->slots[which].n_ids * sizeof *count);
    for (uint32_t record = 0; record < s->n_records; record++)
        count[slots_row(s, record)[which]]++;
    for (uint32_t id = 0; id < s->slots[which].n_ids; id++)
        if (count[id] > 0)
            bits -= count[id] * log2((double)count[id] / s->n_records);
    return bits;
}

kith_status clusters_init(clusters *c, const slots *s, const class_rules *a, uint32_t capacity,
                          arena *memory, kith_error *error)
{
    *c = (clusters){.slots = s, .rules = a, .memory = memory, .unit = a->problem->unit};
    TRY(set_capacity(c, capacity, error));
    c->of = TRY_ARRAY(c->of, memory, s->n_records, error);
    c->place = TRY_ARRAY(c->place, memory, s->n_records, error);
    c->weight = TRY_ARRAY(c->weight, memory, s->stride, error);
    c->without = TRY_ARRAY(c->without, memory, s->stride, error);
    /* Sorting by slots with few bits first keeps runs of similar closures long. With whole slots
     * the order must be the same at all sites, so it may not depend on records. */
    double *bits = TRY_ZEROS(bits, c->memory, s->count, error);
    uint32_t *count = TRY_ARRAY(count, c->memory, 65536, error);
    c->order = TRY_ARRAY(c->order, c->memory, s->count, error);
    for (uint32_t i = 0; i < s->count; i++) {
        bits[i] = s->whole ? s->slots[i].n_ids : slot_bits(s, i, count);
        uint32_t at = i;
        for (; at > 0 && bits[c->order[at - 1]] > bits[i]; at--)
            c->order[at] = c->order[at - 1];
        c->order[at] = i;
    }
    return KITH_OK;
}

kith_status clusters_count_values(clusters *c, const value_counts *by, kith_error *error)
{
    if (by->n_values == 0)
        return KITH_OK;
    c->row = TRY_ARRAY(c->row, c->memory, (size_t)c->capacity * by->n_values, error);
    c->value_counts = by;
    return KITH_OK;
}

kith_status clusters_reserve(clusters *c, uint32_t more, kith_error *error)
{
    uint32_t n_free_ids = c->capacity - c->used + c->n_idle;
    if (more <= n_free_ids)
        return KITH_OK;
    /* By half at least, so that many small reservations take linear time. */
    uint64_t capacity = (uint64_t)c->capacity + c->capacity / 2 + more;
    return set_capacity(c, capacity < UINT32_MAX ? (uint32_t)capacity : UINT32_MAX, error);
}

uint32_t clusters_add(clusters *c)
{
    ASSERT(c->n_idle > 0 || c->used < c->capacity);
    uint32_t cluster = c->n_idle > 0 ? c->idle[--c->n_idle] : c->used++;
    clusters_clear(c, cluster);
    c->room[cluster] = 0;
    c->member[cluster] = NULL;
    c->lane[cluster] = LANES_NONE;
    if (c->value_counts != NULL)
        memset(clusters_row(c, cluster), 0, c->value_counts->n_values * sizeof *c->row);
    return cluster;
}

/* Member arrays that are too small for their cluster are kept for others, in lists that are linked
 * through their own storage. */
static void give_back(clusters *c, uint32_t *members, uint32_t room)
{
    if (members == NULL)
        return;
    uint32_t kind = (uint32_t)__builtin_ctz(room);
    memcpy(members, &c->spare[kind], sizeof c->spare[kind]);
    c->spare[kind] = members;
}

bool clusters_has_unit_of(const clusters *c, uint32_t cluster, uint32_t record)
{
    for (uint32_t m = 0; m < c->held[cluster]; m++)
        if (c->unit[c->member[cluster][m]] == c->unit[record])
            return true;
    return false;
}

void clusters_clear(clusters *c, uint32_t cluster)
{
    c->size[cluster] = c->extent[cluster] = c->held[cluster] = 0;
}

kith_status clusters_append(clusters *c, uint32_t cluster, uint32_t record, kith_error *error)
{
    ASSERT(cluster < c->used && record < c->slots->n_records);
    if (c->held[cluster] == c->room[cluster]) {
        /* Gives a cluster a member array of twice the size: a spare one, if there is one. */
        uint32_t room = c->room[cluster] == 0 ? 4 : 2 * c->room[cluster];
        void **spare = &c->spare[__builtin_ctz(room)];
        uint32_t *members = *spare;
        if (members != NULL)
            memcpy(spare, members, sizeof *spare);
        else
            members = TRY_ARRAY(members, c->memory, room, error);
        if (c->held[cluster] > 0)
            memcpy(members, c->member[cluster], c->held[cluster] * sizeof *members);
        give_back(c, c->member[cluster], c->room[cluster]);
        c->member[cluster] = members;
        c->room[cluster] = room;
    }
    if (c->unit != NULL)
        c->extent[cluster] += !clusters_has_unit_of(c, cluster, record);
    c->of[record] = cluster;
    c->place[record] = c->held[cluster];
    c->member[cluster][c->held[cluster]++] = record;
    c->size[cluster]++;
    return KITH_OK;
}

void clusters_close(clusters *c, uint32_t cluster)
{
    ASSERT(c->held[cluster] > 0);
    uint16_t *closure = clusters_closure(c, cluster);
    slots_close(c->slots, closure, c->member[cluster], c->held[cluster]);
    c->cost[cluster] = slots_cost(c->slots, closure, c->member[cluster][0]);
}

void clusters_withhold(clusters *c, uint32_t cluster)
{
    uint16_t *closure = clusters_closure(c, cluster);
    ASSERT(c->size[cluster] < c->min_known);
    for (uint32_t i = 0; i < c->slots->stride; i++)
        closure[i] = SLOT_NONE;
    c->cost[cluster] = slots_closure_cost(c->slots, closure);
    if (c->lane[cluster] != LANES_NONE)
        lanes_bounded_clear(&c->index, c->lane[cluster]);
}

void clusters_open(clusters *c, uint32_t cluster)
{
    ASSERT(c->held[cluster] == c->size[cluster]);
    clusters_close(c, cluster);
    if (c->lane[cluster] != LANES_NONE)
        lanes_bounded_set(&c->index, c->lane[cluster], clusters_closure(c, cluster),
                          c->size[cluster], c->cost[cluster]);
}

void clusters_drop(clusters *c, uint32_t cluster)
{
    ASSERT(cluster < c->used && c->n_idle < c->used);
    if (c->lane[cluster] != LANES_NONE)
        lanes_bounded_clear(&c->index, c->lane[cluster]);
    give_back(c, c->member[cluster], c->room[cluster]);
    c->member[cluster] = NULL;
    c->lane[cluster] = LANES_NONE;
    clusters_clear(c, cluster);
    c->room[cluster] = 0;
    /* Other sites are told that the cluster is empty, with its counts. */
    if (c->value_counts != NULL)
        memset(clusters_row(c, cluster), 0, c->value_counts->n_values * sizeof *c->row);
    c->idle[c->n_idle++] = cluster;
}

/* Sorts by the slots in c->order, then by id: the same at all sites. */
static int compare_closures(const void *a, const void *b, void *user)
{
    const clusters *c = user;
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    const uint16_t *x = clusters_closure(c, left), *y = clusters_closure(c, right);
    for (uint32_t i = 0; i < c->slots->count; i++) {
        uint32_t at = c->order[i];
        if (x[at] != y[at])
            return x[at] < y[at] ? -1 : 1;
    }
    return left < right ? -1 : left > right;
}

/* Gives the sorted clusters their lanes and empties the lanes behind them. */
static void fill_lanes(clusters *c, uint32_t count)
{
    cluster_lanes *lanes = &c->index.lanes;
    uint32_t before = lanes->n_blocks, lane = 0;
    lanes->n_blocks = (count + LANES_PER_BLOCK - 1) / LANES_PER_BLOCK;
    for (; lane < count; lane++) {
        uint32_t cluster = c->at[lane];
        c->lane[cluster] = lane;
        if (c->size[cluster] < c->min_known)
            lanes_clear(lanes, lane);
        else
            lanes_set(lanes, lane, clusters_closure(c, cluster), c->size[cluster],
                      c->cost[cluster]);
    }
    uint32_t end = before > lanes->n_blocks ? before : lanes->n_blocks;
    for (; lane < end * LANES_PER_BLOCK; lane++)
        lanes_clear(lanes, lane);
}

void clusters_compact(clusters *c)
{
    uint32_t kept = 0;
    for (uint32_t cluster = 0; cluster < c->used; cluster++) {
        if (c->size[cluster] == 0)
            continue;
        uint32_t to = kept++;
        for (uint32_t m = 0; m < c->held[cluster]; m++)
            c->of[c->member[cluster][m]] = to;
        c->size[to] = c->size[cluster];
        c->extent[to] = c->extent[cluster];
        c->held[to] = c->held[cluster];
        c->room[to] = c->room[cluster];
        c->member[to] = c->member[cluster];
        c->cost[to] = c->cost[cluster];
        c->lane[to] = LANES_NONE;
        memmove(clusters_closure(c, to), clusters_closure(c, cluster),
                c->slots->stride * sizeof *c->closure);
        if (c->value_counts != NULL)
            memmove(clusters_row(c, to), clusters_row(c, cluster),
                    c->value_counts->n_values * sizeof *c->row);
    }
    c->used = kept;
    c->n_idle = 0;
}

kith_status clusters_arrange(clusters *c, kith_error *error)
{
    CHECK(clusters_check(c));
    uint32_t count = c->used - c->n_idle, lane = 0;
    if (count > c->n_lanes) {
        uint32_t room = count + count / 2 + LANES_PER_BLOCK; /* later passes may need more */
        TRY(lanes_bounded_init(&c->index, c->slots, room, c->memory, error));
        c->at = TRY_ARRAY(c->at, c->memory, (size_t)room + LANES_PER_BLOCK, error);
        c->n_lanes = room;
    }
    for (uint32_t cluster = 0; cluster < c->used; cluster++)
        if (c->size[cluster] > 0)
            c->at[lane++] = cluster;
    ASSERT(lane == count); /* ids below `used` are in use or idle */
    qsort_r(c->at, count, sizeof *c->at, compare_closures, c);
    fill_lanes(c, count);
    /* Tight bounds for the blocks in use; those behind them must never be found. */
    cluster_lanes *bounds = &c->index.bounds;
    uint32_t filled = c->index.lanes.n_blocks;
    bounds->n_blocks = (filled + LANES_PER_BLOCK - 1) / LANES_PER_BLOCK;
    for (uint32_t block = 0; block < filled; block++)
        lanes_bounded_tighten(&c->index, block);
    for (uint32_t block = filled; block < bounds->n_blocks * LANES_PER_BLOCK; block++)
        lanes_clear(bounds, block);
    return KITH_OK;
}

#if KITH_DEBUG
static void check_cluster(const clusters *c, uint32_t cluster)
{
    const uint16_t *closure = clusters_closure(c, cluster);
    const uint32_t held = c->held[cluster], lane = c->lane[cluster];
    uint32_t n_again = 0; /* members whose unit stands further down, too */
    for (uint32_t m = 0; c->unit != NULL && m < held; m++) {
        uint32_t other = m + 1;
        while (other < held && c->unit[c->member[cluster][other]] != c->unit[c->member[cluster][m]])
            other++;
        n_again += other < held;
    }
    ASSERT(c->extent[cluster] == (c->unit == NULL ? c->size[cluster] : held - n_again));
    ASSERT(held <= c->size[cluster] && held <= c->room[cluster]);
    ASSERT(c->value_counts != NULL || c->rules->n_conditions == 0 || held == c->size[cluster]);
    for (uint32_t m = 0; m < held; m++) {
        uint32_t record = c->member[cluster][m];
        ASSERT(record < c->slots->n_records);
        ASSERT(c->of[record] == cluster && c->place[record] == m);
        const uint16_t *row = slots_row(c->slots, record);
        for (uint32_t i = 0; i < c->slots->count; i++)
            ASSERT(closure[i] == SLOT_NONE || closure[i] == row[i]);
    }
    ASSERT(c->cost[cluster] == slots_closure_cost(c->slots, closure));
    ASSERT(c->value_counts == NULL ||
           value_counts_add_up(c->value_counts, clusters_row(c, cluster), c->size[cluster]));
    ASSERT(lane == LANES_NONE || c->at[lane] == cluster);
    for (uint32_t i = 0; c->size[cluster] < c->min_known && i < c->slots->stride; i++)
        ASSERT(closure[i] == SLOT_NONE);
}

void clusters_check(const clusters *c)
{
    ASSERT(c->used <= c->capacity && c->n_idle <= c->used);
    for (uint32_t cluster = 0; cluster < c->used; cluster++) {
        if (c->size[cluster] > 0)
            check_cluster(c, cluster);
        else
            ASSERT(c->held[cluster] == 0 && c->lane[cluster] == LANES_NONE);
    }
}
#endif
