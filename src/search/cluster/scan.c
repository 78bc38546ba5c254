#include "search/cluster/scan.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "search/slots/cpu.h"

static scan_kernel *const forms[SIMD_SETS] =
    SIMD_TABLE(scan_block_portable, scan_block_avx2, scan_block_avx512);

scan_kernel *scan_kernel_find(const char *name)
{
    return forms[cpu_find_kernels(name)];
}

/* The largest cost that a record may have: the sum of the largest node costs. */
static double max_cost(const problem *p, uint32_t n_values)
{
    double sum = 0;
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        const attribute *a = &p->attributes[j];
        const double *cost = a->sensitive_cost != NULL ? a->sensitive_cost : a->cost;
        double max = 0;
        for (size_t i = 0; i < (size_t)a->tree->n_nodes * n_values; i++)
            max = fmax(max, fabs(cost[i]));
        sum += max;
    }
    return sum;
}

/* Costs as integers: sums over all attributes stay below 2^28, differences of them below 2^30. */
static kith_status integer_costs(scan *s, arena *memory, kith_error *error)
{
    const problem *p = s->problem;
    double max = max_cost(p, s->n_values);
    s->unit = max > 0 ? ldexp(1, 28) / max : 1;
    s->cost = TRY_ARRAY(s->cost, memory, p->n_attributes, error);
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        const attribute *a = &p->attributes[j];
        const double *cost = a->sensitive_cost != NULL ? a->sensitive_cost : a->cost;
        size_t n_entries = (size_t)a->tree->n_nodes * s->n_values;
        s->cost[j] = TRY_ALLOC(arena_array(memory, n_entries, sizeof **s->cost), error);
        for (size_t i = 0; i < n_entries; i++)
            s->cost[j][i] = (int32_t)lrint(cost[i] * s->unit);
    }
    return KITH_OK;
}

kith_status scan_init(scan *s, const problem *p, uint32_t capacity, arena *memory,
                      kith_error *error)
{
    *s = (scan){.problem = p, .n_values = 1, .kernel = forms[cpu_choose_kernels()]};
    if (problem_costs_sensitive(p))
        s->n_values = p->sensitive[p->cost_sensitive].count;
    TRY(integer_costs(s, memory, error));
    s->slot_start = TRY_ARRAY(s->slot_start, memory, p->n_attributes, error);
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        s->slot_start[j] = s->n_slots;
        s->n_slots += p->attributes[j].tree->n_levels - 1;
    }
    size_t room = ((size_t)capacity + SCAN_LANES - 1) / SCAN_LANES * SCAN_LANES;
    s->capacity = (uint32_t)room;
    s->ids = TRY_ALLOC(arena_zalloc(memory, room, sizeof *s->ids * s->n_slots), error);
    s->members = TRY_ALLOC(arena_zalloc(memory, room, sizeof *s->members * s->n_values), error);
    s->own = TRY_ARRAY(s->own, memory, room, error);
    s->node = TRY_ALLOC(arena_array(memory, room, sizeof *s->node * p->n_attributes), error);
    for (size_t i = 0; i < room; i++)
        s->own[i] = -HUGE_VAL;
    return KITH_OK;
}

kith_status scan_query_init(scan_query *q, const scan *s, arena *memory, kith_error *error)
{
    q->id = TRY_ARRAY(q->id, memory, s->n_slots, error);
    q->weight = TRY_ALLOC(arena_array(memory, s->n_slots, sizeof *q->weight * s->n_values), error);
    q->base = TRY_ARRAY(q->base, memory, s->n_values, error);
    q->count = TRY_ARRAY(q->count, memory, s->n_values, error);
    return KITH_OK;
}

/* Cost of one record with this sensitive value whose cell in attribute j is the node. */
static int32_t cost_at(const scan *s, uint32_t j, uint32_t node, uint32_t value)
{
    return s->cost[j][(size_t)node * s->n_values + value];
}

/* The sensitive value that the costs of a record depend on; 0 where they depend on none. */
static uint32_t value_of(const scan *s, uint32_t record)
{
    return s->n_values > 1 ? s->problem->sensitive[s->problem->cost_sensitive].values[record] : 0;
}

double scan_cost(const scan *s, const uint32_t *node, const double *members)
{
    double sum = 0;
    for (uint32_t v = 0; v < s->n_values; v++) {
        int32_t each = 0;
        for (uint32_t j = 0; members[v] > 0 && j < s->problem->n_attributes; j++)
            each += cost_at(s, j, node[j], v);
        sum += members[v] * (double)each;
    }
    return sum;
}

/* Where the count of a value at a position lies: counts of a block are stored value by value. */
static size_t member_place(const scan *s, uint32_t position, uint32_t value)
{
    size_t block = position / SCAN_LANES, lane = position % SCAN_LANES;
    return (block * s->n_values + value) * SCAN_LANES + lane;
}

double scan_count(const scan *s, uint32_t position, uint32_t value)
{
    return s->members[member_place(s, position, value)];
}

/* Writes a closure to its lane: the ids of a block are stored slot by slot. */
static void put_ids(scan *s, uint32_t position, const uint32_t *node)
{
    int32_t *id = s->ids + (size_t)(position / SCAN_LANES) * s->n_slots * SCAN_LANES;
    id += position % SCAN_LANES;
    for (uint32_t j = 0; j < s->problem->n_attributes; j++) {
        const tree *t = s->problem->attributes[j].tree;
        for (uint32_t level = 0; level + 1 < t->n_levels; level++, id += SCAN_LANES)
            *id = level < t->level[node[j]] ? SCAN_GIVEN_UP
                                            : (int32_t)tree_up(t, t->first[node[j]], level);
    }
}

void scan_put(scan *s, uint32_t position, const uint32_t *node, const double *members)
{
    ASSERT(position < s->capacity);
    uint32_t n_attributes = s->problem->n_attributes;
    put_ids(s, position, node);
    for (uint32_t v = 0; v < s->n_values; v++)
        s->members[member_place(s, position, v)] = members[v];
    memmove(s->node + (size_t)position * n_attributes, node, n_attributes * sizeof *node);
    s->own[position] = scan_cost(s, node, members);
    if (position >= s->count)
        s->count = position + 1;
}

void scan_put_record(scan *s, uint32_t position, uint32_t record)
{
    ASSERT(position < s->capacity && record < s->problem->n_records);
    uint32_t *node = s->node + (size_t)position * s->problem->n_attributes;
    uint32_t value = value_of(s, record);
    double own = 0;
    for (uint32_t j = 0; j < s->problem->n_attributes; j++) {
        node[j] = s->problem->attributes[j].cells[record];
        own += cost_at(s, j, node[j], value);
    }
    for (uint32_t v = 0; v < s->n_values; v++)
        s->members[member_place(s, position, v)] = v == value;
    put_ids(s, position, node);
    s->own[position] = own;
    if (position >= s->count)
        s->count = position + 1;
}

void scan_remove(scan *s, uint32_t position)
{
    ASSERT(position < s->count);
    s->own[position] = -HUGE_VAL;
}

bool scan_is_free(const scan *s, uint32_t position)
{
    return s->own[position] < -1e300;
}

/* Copies a cluster to another position, which it overwrites. */
static void move(scan *s, uint32_t from, uint32_t to)
{
    uint32_t n_attributes = s->problem->n_attributes;
    uint32_t *node = s->node + (size_t)to * n_attributes;
    memmove(node, s->node + (size_t)from * n_attributes, n_attributes * sizeof *node);
    put_ids(s, to, node);
    for (uint32_t v = 0; v < s->n_values; v++)
        s->members[member_place(s, to, v)] = s->members[member_place(s, from, v)];
    s->own[to] = s->own[from];
}

void scan_compact(scan *s, uint32_t *moved)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        moved[i] = scan_is_free(s, i) ? SCAN_NONE : kept;
        if (moved[i] == SCAN_NONE)
            continue;
        if (kept != i)
            move(s, i, kept);
        kept++;
    }
    for (uint32_t i = kept; i < s->count; i++)
        s->own[i] = -HUGE_VAL;
    s->count = kept;
    CHECK(scan_check(s));
}

void scan_take(const scan *s, uint32_t position, uint32_t *node, double *members)
{
    uint32_t n_attributes = s->problem->n_attributes;
    memcpy(node, s->node + (size_t)position * n_attributes, n_attributes * sizeof *node);
    for (uint32_t v = 0; v < s->n_values; v++)
        members[v] = scan_count(s, position, v);
}

void scan_join(const scan *s, uint32_t *node, double *members, uint32_t position)
{
    const uint32_t *other = s->node + (size_t)position * s->problem->n_attributes;
    for (uint32_t j = 0; j < s->problem->n_attributes; j++)
        node[j] = tree_lca(s->problem->attributes[j].tree, node[j], other[j]);
    for (uint32_t v = 0; v < s->n_values; v++)
        members[v] += scan_count(s, position, v);
}

void scan_join_record(const scan *s, uint32_t *node, double *members, uint32_t record)
{
    for (uint32_t j = 0; j < s->problem->n_attributes; j++) {
        const attribute *a = &s->problem->attributes[j];
        node[j] = tree_lca(a->tree, node[j], a->cells[record]);
    }
    members[value_of(s, record)]++;
}

void scan_record(const scan *s, uint32_t record, uint32_t *node, double *members)
{
    for (uint32_t j = 0; j < s->problem->n_attributes; j++)
        node[j] = s->problem->attributes[j].cells[record];
    memset(members, 0, s->n_values * sizeof *members);
    members[value_of(s, record)] = 1;
}

/* Weights of one attribute's slots: what the step from each level to the next adds to the cost. In
 * levels below the closure the id agrees with no cluster, and the weight is 0 because the closure
 * has paid for them already. */
static void ask_attribute(const scan *s, scan_query *q, uint32_t j, uint32_t node)
{
    const tree *t = s->problem->attributes[j].tree;
    for (uint32_t level = 0; level + 1 < t->n_levels; level++) {
        uint32_t slot = s->slot_start[j] + level;
        bool given_up = level < t->level[node];
        uint32_t here = tree_up(t, t->first[node], level);
        q->id[slot] = given_up ? SCAN_NOWHERE : (int32_t)here;
        for (uint32_t v = 0; v < s->n_values; v++)
            q->weight[(size_t)v * s->n_slots + slot] =
                given_up ? 0 : cost_at(s, j, t->parent[here], v) - cost_at(s, j, here, v);
    }
}

/* Everything of a query that follows from the closure. */
static void ask_closure(const scan *s, scan_query *q, const uint32_t *node)
{
    for (uint32_t j = 0; j < s->problem->n_attributes; j++)
        ask_attribute(s, q, j, node[j]);
    for (uint32_t v = 0; v < s->n_values; v++) {
        q->base[v] = 0;
        for (uint32_t j = 0; j < s->problem->n_attributes; j++)
            q->base[v] += cost_at(s, j, node[j], v);
    }
}

void scan_ask(const scan *s, scan_query *q, const uint32_t *node, const double *members)
{
    ask_closure(s, q, node);
    for (uint32_t v = 0; v < s->n_values; v++)
        q->count[v] = members[v];
    q->own = scan_cost(s, node, members);
}

void scan_ask_position(const scan *s, scan_query *q, uint32_t position)
{
    const uint32_t *node = s->node + (size_t)position * s->problem->n_attributes;
    ask_closure(s, q, node);
    for (uint32_t v = 0; v < s->n_values; v++)
        q->count[v] = scan_count(s, position, v);
    q->own = s->own[position];
}

scan_hit scan_nearest(const scan *s, const scan_query *q, uint32_t limit, uint32_t skip)
{
    ASSERT(limit <= s->count);
    scan_hit best = {SCAN_NONE, HUGE_VAL};
    double distance[SCAN_LANES];
    for (uint32_t start = 0; start < limit; start += SCAN_LANES) {
        if (!(s->kernel(distance, s, q, start / SCAN_LANES) < best.distance))
            continue; /* no lane of the block is nearer */
        uint32_t n_lanes = limit - start < SCAN_LANES ? limit - start : SCAN_LANES;
        for (uint32_t lane = 0; lane < n_lanes; lane++)
            if (distance[lane] < best.distance && start + lane != skip)
                best = (scan_hit){start + lane, distance[lane]};
    }
    return best;
}

scan_hit scan_nearest_if(const scan *s, const scan_query *q, uint32_t limit, uint32_t skip,
                         bool (*may)(void *user, uint32_t position), void *user)
{
    ASSERT(limit <= s->count);
    scan_hit best = {SCAN_NONE, HUGE_VAL};
    double distance[SCAN_LANES];
    for (uint32_t start = 0; start < limit; start += SCAN_LANES) {
        if (!(s->kernel(distance, s, q, start / SCAN_LANES) < best.distance))
            continue;
        uint32_t n_lanes = limit - start < SCAN_LANES ? limit - start : SCAN_LANES;
        for (uint32_t lane = 0; lane < n_lanes; lane++)
            if (distance[lane] < best.distance && start + lane != skip && may(user, start + lane))
                best = (scan_hit){start + lane, distance[lane]};
    }
    return best;
}

scan_hit scan_farthest(const scan *s, const scan_query *q, uint32_t limit)
{
    ASSERT(limit <= s->count);
    scan_hit best = {SCAN_NONE, -HUGE_VAL};
    double distance[SCAN_LANES];
    for (uint32_t start = 0; start < limit; start += SCAN_LANES) {
        s->kernel(distance, s, q, start / SCAN_LANES);
        uint32_t n_lanes = limit - start < SCAN_LANES ? limit - start : SCAN_LANES;
        for (uint32_t lane = 0; lane < n_lanes; lane++)
            if (distance[lane] > best.distance && distance[lane] < HUGE_VAL)
                best = (scan_hit){start + lane, distance[lane]};
    }
    return best;
}

#if KITH_DEBUG
static void check_position(const scan *s, uint32_t position)
{
    const problem *p = s->problem;
    const uint32_t *node = s->node + (size_t)position * p->n_attributes;
    const int32_t *id = s->ids + (size_t)(position / SCAN_LANES) * s->n_slots * SCAN_LANES;
    double cost = 0;
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        const tree *t = p->attributes[j].tree;
        ASSERT(node[j] < t->n_nodes);
        for (uint32_t v = 0; v < s->n_values; v++)
            cost += scan_count(s, position, v) * cost_at(s, j, node[j], v);
        for (uint32_t level = 0; level + 1 < t->n_levels; level++) {
            size_t slot = s->slot_start[j] + level;
            bool given_up = id[slot * SCAN_LANES + position % SCAN_LANES] == SCAN_GIVEN_UP;
            ASSERT(given_up == (level < t->level[node[j]]));
        }
    }
    ASSERT(s->own[position] == cost); /* sums of integers are exact */
}

void scan_check(const scan *s)
{
    ASSERT(s->count <= s->capacity && s->capacity % SCAN_LANES == 0);
    for (uint32_t i = 0; i < s->capacity; i++) {
        ASSERT(i < s->count || scan_is_free(s, i));
        if (!scan_is_free(s, i))
            check_position(s, i);
    }
}
#endif
