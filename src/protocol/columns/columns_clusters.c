#include "protocol/columns/columns_clusters.h"

#include <math.h>

#include "core/error.h"

enum { MAX_JOINT_ENTRIES = 1 << 19 }; /* entries of a table of common ancestors */

static kith_status costs_too_large(kith_error *error)
{
    return error_set(error, KITH_INVALID,
                     "costs are too large to be added up; use smaller weights");
}

/* Fixed-point costs of all nodes, and their maximum. */
static kith_status round_costs(columns_side *s, const attribute *a, int64_t *max_cost,
                               arena *memory, kith_error *error)
{
    s->cost = TRY_ARRAY(s->cost, memory, a->tree->n_nodes, error);
    *max_cost = 0;
    for (uint32_t node = 0; node < a->tree->n_nodes; node++) {
        double cost = a->cost[node] * COLUMNS_UNIT;
        if (!(cost >= 0 && cost < 0x1p50))
            return costs_too_large(error);
        s->cost[node] = llrint(cost);
        *max_cost = s->cost[node] > *max_cost ? s->cost[node] : *max_cost;
    }
    return KITH_OK;
}

kith_status columns_clusters_init(columns_clusters *c, const problem *p, columns_tag *tag_of,
                                  void *user, arena *memory, kith_error *error)
{
    *c = (columns_clusters){
        .memory = memory, .n_records = p->n_records, .tag_of = tag_of, .user = user};
    c->of = TRY_ARRAY(c->of, memory, p->n_records, error);
    c->place = TRY_ARRAY(c->place, memory, p->n_records, error);
    c->n_sides = p->n_attributes;
    c->sides = TRY_ZEROS(c->sides, c->memory, p->n_attributes, error);
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        int64_t max_cost = 0;
        const attribute *a = &p->attributes[j];
        c->sides[j] = (columns_side){.tree = a->tree, .cells = a->cells};
        TRY(round_costs(&c->sides[j], a, &max_cost, c->memory, error));
        /* Tabulates the cost of common ancestors, which pricing needs most often, for small
         * trees. */
        columns_side *s = &c->sides[j];
        const uint64_t n_nodes = s->tree->n_nodes;
        if (n_nodes * n_nodes <= MAX_JOINT_ENTRIES) {
            s->joint = TRY_ARRAY(s->joint, c->memory, (size_t)(n_nodes * n_nodes), error);
            for (uint32_t one = 0; one < n_nodes; one++)
                for (uint32_t other = 0; other < n_nodes; other++)
                    s->joint[one * n_nodes + other] = s->cost[tree_lca(s->tree, one, other)];
        }
        c->max_cost += max_cost;
        if (c->max_cost > INT64_C(1) << 52)
            return costs_too_large(error);
    }
    /* The sum over PARTY_MAX = 128 parties of what all records cost must stay below 2^63. */
    return (double)c->max_cost * p->n_records < 0x1p56 ? KITH_OK : costs_too_large(error);
}

kith_status columns_clusters_add(columns_clusters *c, uint32_t *cluster, kith_error *error)
{
    if (c->n_idle == 0 && c->used == c->capacity) {
        const uint32_t old = c->capacity, capacity = old < 32 ? 64 : old + old / 2;
        TRY_RESIZE(c->idle, c->memory, old, capacity, error);
        TRY_RESIZE(c->size, c->memory, old, capacity, error);
        TRY_RESIZE(c->room, c->memory, old, capacity, error);
        TRY_RESIZE(c->member, c->memory, old, capacity, error);
        TRY_RESIZE(c->cost, c->memory, old, capacity, error);
        TRY_RESIZE(c->tag, c->memory, old, capacity, error);
        for (uint32_t j = 0; j < c->n_sides; j++)
            TRY_RESIZE(c->sides[j].closure, c->memory, old, capacity, error);
        for (uint32_t at = old; at < capacity; at++) {
            c->size[at] = c->room[at] = 0;
            c->member[at] = NULL;
        }
        c->capacity = capacity;
    }
    *cluster = c->n_idle > 0 ? c->idle[--c->n_idle] : c->used++;
    return KITH_OK;
}

/* Member arrays stay with their id when a cluster is dropped, so that they are allocated once. */
kith_status columns_clusters_append(columns_clusters *c, uint32_t cluster, uint32_t record,
                                    kith_error *error)
{
    ASSERT(cluster < c->used && record < c->n_records);
    uint32_t size = c->size[cluster];
    TRY_GROW(c->member[cluster], c->room[cluster], size + (size_t)1, c->memory, error);
    c->of[record] = cluster;
    c->place[record] = size;
    c->member[cluster][c->size[cluster]++] = record;
    return KITH_OK;
}

static uint64_t tag_of(const columns_clusters *c, uint32_t record)
{
    return c->tag_of == NULL ? 0 : c->tag_of(c->user, record);
}

static void update_cost(columns_clusters *c, uint32_t cluster)
{
    c->cost[cluster] = 0;
    for (uint32_t j = 0; j < c->n_sides; j++)
        c->cost[cluster] += c->sides[j].cost[c->sides[j].closure[cluster]];
}

/* The common ancestor of a cluster's cells without one record (UINT32_MAX: of all). It is at or
 * below `widest`, so the search may end there. */
static uint32_t closure_without(const columns_clusters *c, const columns_side *s, uint32_t cluster,
                                uint32_t leaver, uint32_t widest)
{
    ASSERT(c->size[cluster] > (leaver == UINT32_MAX ? 0 : 1));
    const uint32_t *member = c->member[cluster];
    uint32_t first = member[0] == leaver ? 1 : 0, node = s->cells[member[first]];
    for (uint32_t m = first + 1; m < c->size[cluster] && node != widest; m++)
        if (member[m] != leaver)
            node = tree_lca(s->tree, node, s->cells[member[m]]);
    return node;
}

#if KITH_DEBUG
void columns_clusters_check(const columns_clusters *c)
{
    uint32_t n_members = 0, n_used = 0;
    ASSERT(c->used <= c->capacity && c->n_idle <= c->used);
    for (uint32_t cluster = 0; cluster < c->used; cluster++) {
        const uint32_t size = c->size[cluster];
        if (size == 0)
            continue;
        ASSERT(size <= c->room[cluster]);
        uint64_t tag = 0;
        for (uint32_t m = 0; m < size; m++) {
            const uint32_t record = c->member[cluster][m];
            ASSERT(record < c->n_records && c->of[record] == cluster && c->place[record] == m);
            tag += tag_of(c, record);
        }
        int64_t cost = 0;
        for (uint32_t j = 0; j < c->n_sides; j++) {
            const columns_side *s = &c->sides[j];
            ASSERT(s->closure[cluster] ==
                   closure_without(c, s, cluster, UINT32_MAX, tree_root(s->tree)));
            cost += s->cost[s->closure[cluster]];
        }
        ASSERT(c->cost[cluster] == cost && c->tag[cluster] == tag);
        n_members += size;
        n_used++;
    }
    ASSERT(n_members == c->n_records && n_used == columns_clusters_count(c));
}
#endif

void columns_clusters_close(columns_clusters *c, uint32_t cluster)
{
    for (uint32_t j = 0; j < c->n_sides; j++) {
        columns_side *s = &c->sides[j];
        s->closure[cluster] = closure_without(c, s, cluster, UINT32_MAX, tree_root(s->tree));
    }
    update_cost(c, cluster);
    c->tag[cluster] = 0;
    for (uint32_t m = 0; m < c->size[cluster]; m++)
        c->tag[cluster] += tag_of(c, c->member[cluster][m]);
}

void columns_clusters_drop(columns_clusters *c, uint32_t cluster)
{
    ASSERT(cluster < c->used && c->n_idle < c->used);
    c->size[cluster] = 0;
    c->idle[c->n_idle++] = cluster;
}

int64_t columns_clusters_remaining(const columns_clusters *c, uint32_t record)
{
    const uint32_t cluster = c->of[record];
    int64_t cost = 0;
    for (uint32_t j = 0; j < c->n_sides && c->size[cluster] > 1; j++) {
        const columns_side *s = &c->sides[j];
        cost += s->cost[closure_without(c, s, cluster, record, s->closure[cluster])];
    }
    return cost;
}

static void leave(columns_clusters *c, uint32_t record)
{
    const uint32_t cluster = c->of[record];
    if (c->size[cluster] == 1) {
        columns_clusters_drop(c, cluster);
        return;
    }
    for (uint32_t j = 0; j < c->n_sides; j++) {
        columns_side *s = &c->sides[j];
        s->closure[cluster] = closure_without(c, s, cluster, record, s->closure[cluster]);
    }
    uint32_t last = c->member[cluster][--c->size[cluster]];
    c->member[cluster][c->place[record]] = last;
    c->place[last] = c->place[record];
    c->tag[cluster] -= tag_of(c, record);
    update_cost(c, cluster);
}

kith_status columns_clusters_move(columns_clusters *c, uint32_t record, uint32_t to,
                                  kith_error *error)
{
    ASSERT(record < c->n_records && to < c->used && to != c->of[record] && c->size[to] > 0);
    leave(c, record);
    TRY(columns_clusters_append(c, to, record, error));
    for (uint32_t j = 0; j < c->n_sides; j++) {
        columns_side *s = &c->sides[j];
        s->closure[to] = tree_lca(s->tree, s->closure[to], s->cells[record]);
    }
    c->tag[to] += tag_of(c, record);
    update_cost(c, to);
    return KITH_OK;
}

kith_status columns_clusters_merge(columns_clusters *c, uint32_t into, uint32_t from,
                                   kith_error *error)
{
    ASSERT(into < c->used && from < c->used && into != from);
    ASSERT(c->size[into] > 0 && c->size[from] > 0);
    for (uint32_t m = 0; m < c->size[from]; m++)
        TRY(columns_clusters_append(c, into, c->member[from][m], error));
    for (uint32_t j = 0; j < c->n_sides; j++) {
        columns_side *s = &c->sides[j];
        s->closure[into] = tree_lca(s->tree, s->closure[into], s->closure[from]);
    }
    c->tag[into] += c->tag[from];
    update_cost(c, into);
    columns_clusters_drop(c, from);
    return KITH_OK;
}

uint32_t columns_clusters_list(const columns_clusters *c, uint32_t *list, uint32_t below)
{
    uint32_t count = 0;
    for (uint32_t cluster = 0; cluster < c->used; cluster++)
        if (c->size[cluster] > 0 && c->size[cluster] < below)
            list[count++] = cluster;
    return count;
}

int64_t columns_clusters_total(const columns_clusters *c)
{
    int64_t total = 0;
    for (uint32_t cluster = 0; cluster < c->used; cluster++)
        total += c->size[cluster] == 0 ? 0 : c->cost[cluster] * c->size[cluster];
    return total;
}
