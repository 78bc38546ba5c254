/* Records that look for a better cluster, leave theirs and join others (clusters.h). */
#include <string.h>

#include "core/error.h"
#include "search/cluster/clusters.h"

/* Widens c->without by a record; returns whether it still differs from the cluster's closure. */
static bool widen_without(clusters *c, const uint16_t *closure, uint32_t record)
{
    const uint16_t *row = slots_row(c->slots, record);
    uint16_t *without = c->without, differs = 0;
    for (uint32_t i = 0; i < c->slots->stride; i++) {
        without[i] = without[i] == row[i] ? row[i] : SLOT_NONE;
        differs |= without[i] ^ closure[i];
    }
    return differs != 0;
}

int64_t clusters_gain(clusters *c, uint32_t record, int32_t *remaining)
{
    uint32_t cluster = c->of[record], size = c->held[cluster];
    const uint32_t *member = c->member[cluster];
    const uint16_t *closure = clusters_closure(c, cluster);
    ASSERT(size == c->size[cluster]); /* all members are here */
    *remaining = 0;
    if (size == 1) /* nothing remains */
        return c->cost[cluster];
    uint32_t witness = member[member[0] == record];
    slots_start(c->slots, c->without, witness);
    /* A closure as wide as the cluster's cannot become narrower again: then the search ends. */
    bool narrower = true;
    for (uint32_t m = 0; m < size && narrower; m++)
        if (member[m] != record)
            narrower = widen_without(c, closure, member[m]);
    *remaining = narrower ? slots_cost(c->slots, c->without, witness) : c->cost[cluster];
    return (int64_t)c->cost[cluster] * size - (int64_t)*remaining * (size - 1);
}

int64_t clusters_growth(const clusters *c, uint32_t cluster, uint32_t record)
{
    int64_t joint = slots_joint_cost(c->slots, clusters_closure(c, cluster), record);
    return joint * (c->size[cluster] + 1) - clusters_total(c, cluster);
}

/* Would the record be cheap enough in the cluster, and allowed there? */
static bool may_take(const clusters *c, uint32_t cluster, uint32_t record, int64_t below)
{
    if (clusters_growth(c, cluster, record) >= below)
        return false;
    /* A site without all members looks at the counts. */
    return c->value_counts != NULL
               ? value_counts_may_join(c->value_counts, clusters_row(c, cluster), c->size[cluster],
                                       record)
               : class_rules_join_valid(c->rules, c->member[cluster], c->size[cluster], record);
}

/* The best cluster where models forbid some: first among the nearest ones, which nearly always
 * contain one that may take the record, and only if they do not, among all. */
static uint32_t best_allowed(clusters *c, const query *q, uint32_t record, int64_t below)
{
    enum { NEAREST = 16 };
    neighbour list[NEAREST];
    uint32_t found = lanes_nearest(&c->index.lanes, q, list, NEAREST);
    for (uint32_t i = 0; i < found; i++) {
        uint32_t cluster = c->at[list[i].lane];
        if (list[i].score >= below)
            return CLUSTER_NONE;
        if (cluster != c->of[record] && may_take(c, cluster, record, below))
            return cluster;
    }
    uint32_t best = CLUSTER_NONE;
    for (uint32_t block = 0; found == NEAREST && block < c->index.lanes.n_blocks; block++) {
        int32_t score[LANES_PER_BLOCK] __attribute__((aligned(64)));
        lanes_score(&c->index.lanes, block, q, score);
        for (uint32_t lane = 0; lane < LANES_PER_BLOCK; lane++) {
            uint32_t cluster = c->at[block * LANES_PER_BLOCK + lane];
            if (score[lane] >= below || score[lane] >= LANES_FAR || cluster == c->of[record] ||
                !may_take(c, cluster, record, below))
                continue;
            below = clusters_growth(c, cluster, record);
            best = cluster;
        }
    }
    return best;
}

uint32_t clusters_best(clusters *c, uint32_t record, int64_t below)
{
    query q = lanes_query(c->slots, record, c->weight);
    if (c->rules->n_conditions > 0 && !c->rules->only_units)
        return best_allowed(c, &q, record, below);
    int32_t limit = below < LANES_FAR ? (int32_t)below : LANES_FAR;
    uint32_t own = c->lane[c->of[record]];
    neighbour found = c->slots->whole ? lanes_bounded_find_first(&c->index, &q, own, limit)
                                      : lanes_bounded_find(&c->index, &q, own, limit);
    if (found.lane == LANES_NONE)
        return CLUSTER_NONE;
    uint32_t cluster = c->at[found.lane];
    /* The index counts larger clusters as smaller ones: their scores are only lower bounds. */
    bool exact = c->size[cluster] < LANES_MAX_SIZE;
    return exact || clusters_growth(c, cluster, record) < below ? cluster : CLUSTER_NONE;
}

/* Brings the lane of a cluster up to date. */
static void refresh(clusters *c, uint32_t cluster)
{
    if (c->lane[cluster] != LANES_NONE)
        lanes_bounded_set(&c->index, c->lane[cluster], clusters_closure(c, cluster),
                          c->size[cluster], c->cost[cluster]);
}

void clusters_set_joint(clusters *c, uint32_t cluster, const uint16_t *closure, uint32_t size)
{
    ASSERT(cluster < c->used && size >= c->held[cluster]);
    if (size == 0) {
        if (c->size[cluster] > 0)
            clusters_drop(c, cluster);
        return;
    }
    memcpy(clusters_closure(c, cluster), closure, c->slots->stride * sizeof *closure);
    c->size[cluster] = size;
    c->cost[cluster] = slots_closure_cost(c->slots, closure);
    if (size < c->min_known)
        clusters_withhold(c, cluster);
    else
        refresh(c, cluster);
}

/* Takes a record off the list of its cluster, which keeps closure and cost. */
static void remove_member(clusters *c, uint32_t record)
{
    uint32_t cluster = c->of[record];
    uint32_t last = c->member[cluster][--c->held[cluster]];
    c->member[cluster][c->place[record]] = last;
    c->place[last] = c->place[record];
    c->size[cluster]--;
    if (c->unit != NULL)
        c->extent[cluster] -= !clusters_has_unit_of(c, cluster, record);
    if (c->value_counts != NULL)
        value_counts_remove(c->value_counts, clusters_row(c, cluster), record);
}

/* Takes a record out of its cluster, which gets the closure in c->without, or vanishes. */
static void leave(clusters *c, uint32_t record, int32_t remaining)
{
    uint32_t cluster = c->of[record];
    if (c->size[cluster] == 1) {
        clusters_drop(c, cluster);
        return;
    }
    remove_member(c, record);
    memcpy(clusters_closure(c, cluster), c->without, c->slots->stride * sizeof *c->without);
    c->cost[cluster] = remaining;
    refresh(c, cluster);
}

/* Adds a record to a cluster and widens the closure. */
static kith_status enter(clusters *c, uint32_t record, uint32_t to, kith_error *error)
{
    TRY(clusters_append(c, to, record, error));
    if (c->value_counts != NULL)
        value_counts_add(c->value_counts, clusters_row(c, to), record);
    slots_join(c->slots, clusters_closure(c, to), record);
    c->cost[to] = slots_cost(c->slots, clusters_closure(c, to), record);
    refresh(c, to);
    return KITH_OK;
}

kith_status clusters_move(clusters *c, uint32_t record, uint32_t to, int32_t remaining,
                          kith_error *error)
{
    ASSERT(to < c->used && to != c->of[record]);
    leave(c, record, remaining);
    return enter(c, record, to, error);
}

kith_status clusters_evict(clusters *c, uint32_t record, uint32_t to, kith_error *error)
{
    uint32_t from = c->of[record];
    ASSERT(to < c->used && to != from && c->lane[from] == LANES_NONE);
    remove_member(c, record);
    if (c->size[from] == 0)
        clusters_drop(c, from);
    return enter(c, record, to, error);
}

void clusters_hide(clusters *c, uint32_t cluster)
{
    if (c->lane[cluster] != LANES_NONE)
        lanes_bounded_clear(&c->index, c->lane[cluster]);
    c->lane[cluster] = LANES_NONE;
}

query clusters_query(const clusters *c, uint32_t cluster, uint16_t *ids, uint16_t *weight)
{
    const uint16_t *closure = clusters_closure(c, cluster);
    for (uint32_t i = 0; i < c->slots->stride; i++)
        ids[i] = closure[i] == SLOT_NONE ? SLOT_DEAD : closure[i];
    for (uint32_t i = 0; i < c->slots->stride; i++)
        weight[i] = i < c->slots->count ? c->slots->slots[i].weight[ids[i]] : 0;
    return (query){ids, weight, (uint16_t)c->cost[cluster]};
}

bool clusters_may_leave(const clusters *c, uint32_t record)
{
    uint32_t cluster = c->of[record];
    if (c->value_counts != NULL)
        return value_counts_may_leave(c->value_counts, clusters_row(c, cluster), c->size[cluster],
                                      record);
    return c->rules->n_conditions == 0 ||
           class_rules_leave(c->rules, c->member[cluster], c->size[cluster], record);
}

int64_t clusters_total_cost(const clusters *c)
{
    int64_t total = 0;
    for (uint32_t cluster = 0; cluster < c->used; cluster++)
        total += c->size[cluster] > 0 ? clusters_total(c, cluster) : 0;
    return total;
}

kith_status clusters_merge(clusters *c, uint32_t into, uint32_t from, kith_error *error)
{
    ASSERT(into != from && c->size[into] > 0 && c->size[from] > 0);
    uint16_t *wide = clusters_closure(c, into);
    const uint16_t *other = clusters_closure(c, from);
    uint32_t size = c->size[into] + c->size[from];
    for (uint32_t i = 0; i < c->slots->stride; i++)
        wide[i] = wide[i] == other[i] ? wide[i] : SLOT_NONE;
    for (uint32_t m = 0; m < c->held[from]; m++)
        TRY(clusters_append(c, into, c->member[from][m], error));
    for (uint32_t i = 0; c->value_counts != NULL && i < c->value_counts->n_values; i++)
        clusters_row(c, into)[i] += clusters_row(c, from)[i];
    c->size[into] = size;
    c->cost[into] = slots_closure_cost(c->slots, wide);
    clusters_drop(c, from);
    refresh(c, into);
    return KITH_OK;
}
