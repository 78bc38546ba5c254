#include <string.h>

#include "core/error.h"
#include "reference/joint_tree_plain_internal.h"

/* Integer cost of some leaves. */
static int64_t price(const plain_grower *g, const plain_leaf *leaf, uint32_t count)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += (int64_t)leaf[i].rows.count * joint_tree_score_price(g->problem, leaf[i].closure);
    return sum;
}

static kith_status gather(plain_grower *g, plain_list *rows, const plain_leaf *leaf, uint32_t count,
                          kith_error *error)
{
    size_t total = 0;
    for (uint32_t i = 0; i < count; i++)
        total += leaf[i].rows.count;
    *rows = (plain_list){arena_array(g->memory, total + 1, sizeof *rows->items), 0};
    TRY_ALLOC(rows->items, error);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(rows->items + rows->count, leaf[i].rows.items,
               leaf[i].rows.count * sizeof *rows->items);
        rows->count += leaf[i].rows.count;
    }
    return KITH_OK;
}

/* Leftovers of an area join its costliest leaf; may they? */
static kith_status join_leftovers(plain_grower *s, bool *good, kith_error *error)
{
    plain_leaf *host = &s->leaves[0];
    for (uint32_t i = 1; i < s->n_leaves; i++)
        if (joint_tree_plain_cost(s, &s->leaves[i]) > joint_tree_plain_cost(s, host))
            host = &s->leaves[i];
    TRY(joint_tree_plain_unite(s, host, s->pool, error));
    *good = joint_tree_plain_good(s, host->rows, s->problem->k);
    return KITH_OK;
}

/* Grows an area anew; `s` gets its leaves. */
static kith_status grow_area(plain_grower *s, const plain_leaf *old, uint32_t count, uint32_t round,
                             uint32_t area, bool *good, kith_error *error)
{
    plain_list rows = {0};
    TRY(gather(s, &rows, old, count, error));
    TRY(joint_tree_plain_grow_root(s, rows, joint_tree_score_area_name(round, area, false), false,
                                   old, count, error));
    if (joint_tree_plain_fit(s, s->pool, s->problem->k)) {
        rows = s->pool;
        s->pool = (plain_list){0};
        TRY(joint_tree_plain_grow_root(s, rows, joint_tree_score_area_name(round, area, true),
                                       s->n_frequencies == 0, old, count, error));
    }
    for (uint32_t i = 0; i < s->n_leaves; i++)
        if (s->leaves[i].loose)
            TRY(joint_tree_plain_close(s, &s->leaves[i], error));
    *good = s->n_leaves > 0;
    return s->pool.count > 0 && *good ? join_leftovers(s, good, error) : KITH_OK;
}

kith_status joint_tree_plain_reweave(plain_grower *g, uint32_t round, kith_error *error)
{
    const uint32_t n = g->problem->n_attributes;
    uint32_t *order = TRY_ALLOC(arena_array(g->memory, g->n_leaves, sizeof *order), error);
    uint32_t kept = 0, made = 0;
    uint32_t *closure =
        TRY_ALLOC(arena_array(g->memory, (size_t)g->n_leaves * n + 1, sizeof *closure), error);
    plain_leaf *old = TRY_ALLOC(arena_array(g->memory, g->n_leaves + 1, sizeof *old), error);
    plain_leaf *leaf =
        TRY_ALLOC(arena_array(g->memory, g->problem->n_records + 1, sizeof *leaf), error);
    for (uint32_t i = 0; i < g->n_leaves; i++)
        if (g->leaves[i].rows.count > 0)
            g->leaves[kept++] = g->leaves[i];
    for (uint32_t i = 0; i < kept; i++)
        memcpy(closure + (size_t)i * n, g->leaves[i].closure, n * sizeof *closure);
    TRY(joint_tree_score_leaf_order(order, g->problem, closure, kept, round, g->memory, error));
    for (uint32_t i = 0; i < kept; i++)
        old[i] = g->leaves[order[i]];
    for (uint32_t area = 0, first = 0; first < kept; area++) {
        const uint32_t end = joint_tree_score_area_end(area, kept, round), count = end - first;
        plain_grower s = *g;
        bool good = false;
        s.leaves = NULL;
        s.n_leaves = s.leaf_room = 0;
        s.pool = (plain_list){0};
        TRY(grow_area(&s, old + first, count, round, area, &good, error));
        good = good && price(g, s.leaves, s.n_leaves) < price(g, old + first, count);
        memcpy(leaf + made, good ? s.leaves : old + first,
               (good ? s.n_leaves : count) * sizeof *leaf);
        made += good ? s.n_leaves : count;
        first = end;
    }
    g->leaves = leaf;
    g->n_leaves = g->leaf_room = made;
    return KITH_OK;
}
