#include "reference/joint_tree_plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "reference/joint_tree_plain_internal.h"

/* Values of an attribute that a root asks about: those that are live at the first root; in an area,
 * of a wide attribute only those that its leaves show. */
static kith_status ask_at_root(plain_grower *g, plain_list *asked, uint32_t a,
                               const plain_leaf *shown, uint32_t count, kith_error *error)
{
    const tree *t = g->problem->attributes[a].tree;
    asked->items = TRY_ALLOC(arena_array(g->memory, t->n_nodes, sizeof *asked->items), error);
    uint32_t n_live = 0;
    for (uint32_t node = 0; node < t->n_nodes; node++)
        n_live += g->is_live[a][node];
    for (uint32_t node = 0; node < t->n_nodes; node++) {
        bool wanted = shown == NULL || n_live <= JOINT_TREE_WIDE_VALUES;
        for (uint32_t l = 0; l < count && !wanted && g->is_live[a][node]; l++)
            wanted = tree_covers(t, node, shown[l].closure[a]);
        if (wanted && g->is_live[a][node])
            asked->items[asked->count++] = node;
    }
    return KITH_OK;
}

kith_status joint_tree_plain_grow_root(plain_grower *g, plain_list rows, uint64_t name, bool last,
                                       const plain_leaf *shown, uint32_t count, kith_error *error)
{
    const uint32_t n = g->problem->n_attributes;
    plain_place root = {.name = name, .last = last};
    root.node = TRY_ALLOC(arena_array(g->memory, n, sizeof *root.node), error);
    root.closed = TRY_ALLOC(arena_zalloc(g->memory, n, sizeof *root.closed), error);
    root.asked = TRY_ALLOC(arena_zalloc(g->memory, n, sizeof *root.asked), error);
    root.bound = root.node;
    for (uint32_t a = 0; a < n; a++) {
        root.node[a] = tree_root(g->problem->attributes[a].tree);
        if (g->first_root)
            continue;
        TRY(ask_at_root(g, &root.asked[a], a, shown, count, error));
        root.closed[a] = root.asked[a].count == 0;
    }
    const uint32_t before = g->n_leaves;
    TRY(joint_tree_plain_grow(g, rows, &root, error));
    return g->n_frequencies == 0 ? KITH_OK : joint_tree_plain_trim_leaves(g, before, error);
}

double joint_tree_plain_cost(const plain_grower *g, const plain_leaf *l)
{
    double cost = 0;
    for (uint32_t a = 0; a < g->problem->n_attributes; a++)
        cost += g->problem->attributes[a].cost[l->closure[a]];
    return cost;
}

kith_status joint_tree_plain_close(plain_grower *g, plain_leaf *l, kith_error *error)
{
    const uint32_t n = g->problem->n_attributes;
    uint32_t *closure = TRY_ALLOC(arena_array(g->memory, n, sizeof *closure), error);
    for (uint32_t a = 0; a < n; a++) {
        closure[a] = l->loose ? g->cells[a][l->rows.items[0]] : l->closure[a];
        for (uint32_t i = 0; i < l->rows.count; i++)
            closure[a] =
                tree_lca(g->problem->attributes[a].tree, closure[a], g->cells[a][l->rows.items[i]]);
    }
    l->closure = closure;
    l->loose = false;
    return KITH_OK;
}

kith_status joint_tree_plain_unite(plain_grower *g, plain_leaf *host, plain_list rows,
                                   kith_error *error)
{
    uint32_t *both = TRY_ALLOC(
        arena_array(g->memory, (size_t)host->rows.count + rows.count, sizeof *both), error);
    memcpy(both, host->rows.items, host->rows.count * sizeof *both);
    if (rows.count > 0)
        memcpy(both + host->rows.count, rows.items, rows.count * sizeof *both);
    host->rows = (plain_list){both, host->rows.count + rows.count};
    return joint_tree_plain_close(g, host, error);
}

/* Leaves by closure cost per record, the highest first; equal ones as they stand. */
static kith_status rank_leaves(plain_grower *g, uint32_t *order, kith_error *error)
{
    double *cost = TRY_ALLOC(arena_array(g->memory, g->n_leaves, sizeof *cost), error);
    for (uint32_t i = 0; i < g->n_leaves; i++) {
        uint32_t at = i;
        cost[i] = joint_tree_plain_cost(g, &g->leaves[i]);
        for (; at > 0 && cost[order[at - 1]] < cost[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return KITH_OK;
}

/* The first leaf that may take the leftovers in; if none may, the fewest of the first ones that may
 * do so together become one. */
static kith_status place_leftovers(plain_grower *g, kith_error *error)
{
    uint32_t *order = TRY_ALLOC(arena_array(g->memory, g->n_leaves, sizeof *order), error);
    TRY(rank_leaves(g, order, error));
    for (uint32_t i = 0; i < g->n_leaves; i++) {
        plain_leaf joined = g->leaves[order[i]];
        TRY(joint_tree_plain_unite(g, &joined, g->pool, error));
        if (joint_tree_plain_good(g, joined.rows, g->problem->k)) {
            g->leaves[order[i]] = joined;
            return KITH_OK;
        }
    }
    plain_leaf *host = &g->leaves[order[0]];
    TRY(joint_tree_plain_unite(g, host, g->pool, error));
    for (uint32_t i = 1; i < g->n_leaves && !joint_tree_plain_good(g, host->rows, g->problem->k);
         i++) {
        plain_leaf *gone = &g->leaves[order[i]];
        for (uint32_t a = 0; a < g->problem->n_attributes; a++)
            host->closure[a] =
                tree_lca(g->problem->attributes[a].tree, host->closure[a], gone->closure[a]);
        TRY(joint_tree_plain_unite(g, host, gone->rows, error));
        gone->rows.count = 0;
    }
    return KITH_OK;
}

/* Trees of the pool. */
static uint32_t max_trees(const plain_grower *g)
{
    double l = 1;
    for (uint32_t i = 0; i < g->n_frequencies; i++)
        l = fmax(l, joint_tree_diversity_l(&g->frequencies[i].rule));
    return g->n_frequencies == 0 ? JOINT_TREE_MAX_TREES : joint_tree_score_max_trees(l);
}

static kith_status grow_all(plain_grower *g, plain_list all, kith_error *error)
{
    const uint64_t k = g->problem->k;
    g->first_root = true;
    TRY(joint_tree_plain_grow_root(g, all, joint_tree_score_tree_name(0), false, NULL, 0, error));
    for (uint32_t t = 1; t <= max_trees(g); t++) {
        const plain_list rows = g->pool;
        const uint32_t before = g->n_leaves;
        if (!joint_tree_plain_fit(g, rows, k))
            break;
        bool last = g->n_frequencies == 0 &&
                    (t == JOINT_TREE_MAX_TREES || !joint_tree_plain_fit(g, rows, 4 * k));
        g->pool = (plain_list){0};
        TRY(joint_tree_plain_grow_root(g, rows, joint_tree_score_tree_name(t), last, NULL, 0,
                                       error));
        if (g->n_leaves == before)
            break;
    }
    for (uint32_t i = 0; i < g->n_leaves; i++)
        if (g->leaves[i].loose)
            TRY(joint_tree_plain_close(g, &g->leaves[i], error));
    if (g->n_frequencies > 0)
        TRY(joint_tree_plain_sweep(g, error));
    return g->pool.count > 0 ? place_leftovers(g, error) : KITH_OK;
}

static kith_status write_result(plain_grower *g, partition *result, arena *memory,
                                kith_error *error)
{
    const uint32_t n = g->problem->n_attributes;
    result->n_classes = 0;
    result->class_of =
        TRY_ALLOC(arena_array(memory, g->problem->n_records, sizeof *result->class_of), error);
    result->closure =
        TRY_ALLOC(arena_array(memory, (size_t)g->n_leaves * n, sizeof *result->closure), error);
    for (uint32_t i = 0; i < g->n_leaves; i++) {
        const plain_leaf *l = &g->leaves[i];
        if (l->rows.count == 0)
            continue;
        memcpy(result->closure + (size_t)result->n_classes * n, l->closure, n * sizeof *l->closure);
        for (uint32_t r = 0; r < l->rows.count; r++)
            result->class_of[l->rows.items[r]] = result->n_classes;
        result->n_classes++;
    }
    return KITH_OK;
}

static kith_status grower_init(plain_grower *g, kith_error *error)
{
    const problem *p = g->problem;
    uint32_t max_values = 1;
    for (uint32_t s = 0; s < p->n_sensitive; s++)
        max_values = p->sensitive[s].count > max_values ? p->sensitive[s].count : max_values;
    g->cells = TRY_ALLOC(arena_zalloc(g->memory, p->n_attributes, sizeof *g->cells), error);
    g->forbidden = TRY_ALLOC(arena_zalloc(g->memory, p->n_attributes, sizeof *g->forbidden), error);
    g->is_live = TRY_ALLOC(arena_zalloc(g->memory, p->n_attributes, sizeof *g->is_live), error);
    g->count = TRY_ALLOC(arena_zalloc(g->memory, max_values, sizeof *g->count), error);
    g->histogram = TRY_ALLOC(arena_zalloc(g->memory, p->n_sensitive, sizeof *g->histogram), error);
    g->at_site = TRY_ALLOC(
        arena_zalloc(g->memory, g->sites == NULL ? 1 : g->sites->count, sizeof *g->at_site), error);
    for (uint32_t a = 0; a < p->n_attributes; a++) {
        g->cells[a] = p->attributes[a].cells;
        g->is_live[a] =
            TRY_ALLOC(arena_zalloc(g->memory, p->attributes[a].tree->n_nodes, 1), error);
    }
    g->local = TRY_ALLOC(arena_array(g->memory, p->n_records, sizeof *g->local), error);
    for (uint32_t i = 0; i < p->n_records; i++)
        g->local[i] = g->at_site[joint_tree_plain_site(g, i)]++;
    return joint_tree_plain_forbid(g, error);
}

static kith_status run(plain_grower *g, partition *result, arena *memory, kith_error *error)
{
    const uint32_t records = g->problem->n_records;
    plain_list all = {arena_array(g->memory, records, sizeof *all.items), records};
    TRY_ALLOC(all.items, error);
    TRY(grower_init(g, error));
    for (uint32_t i = 0; i < records; i++)
        all.items[i] = i;
    if (!joint_tree_plain_good(g, all, g->problem->k))
        return error_set(error, KITH_INFEASIBLE,
                         "all records together do not satisfy the models (k = %u)", g->problem->k);
    TRY(grow_all(g, all, error));
    for (uint32_t r = 0; r < g->n_rounds; r++)
        TRY(joint_tree_plain_reweave(g, r, error));
    return write_result(g, result, memory, error);
}

/* Of several models of one kind and attribute the strictest counts. */
static void add_frequency(plain_grower *g, joint_tree_diversity rule, const sensitive_attribute *of)
{
    uint32_t at = 0;
    while (at < g->n_frequencies && g->frequencies[at].of != of)
        at++;
    if (at == g->n_frequencies)
        g->frequencies[g->n_frequencies++] = (plain_frequency){rule, of};
    else if (joint_tree_diversity_l(&rule) > joint_tree_diversity_l(&g->frequencies[at].rule))
        g->frequencies[at].rule = rule;
}

static kith_status find_diversity(plain_grower *g, kith_error *error)
{
    const problem *p = g->problem;
    bool distinct = false;
    g->frequencies = TRY_ALLOC(arena_zalloc(g->memory, p->n_models, sizeof *g->frequencies), error);
    for (uint32_t m = 0; m < p->n_models; m++) {
        const joint_tree_diversity d = joint_tree_diversity_of(&p->models[m]);
        distinct = distinct || d.asks == JOINT_TREE_ASKS_DISTINCT;
        if (d.asks == JOINT_TREE_ASKS_FREQUENCY)
            add_frequency(g, d, &p->sensitive[p->models[m].sensitive]);
    }
    g->lends = distinct && g->n_frequencies == 0 && !(g->sites != NULL && g->sites->quiet);
    g->shares = g->lends || g->n_frequencies > 0;
    return KITH_OK;
}

kith_status joint_tree_plain(partition *result, const problem *p,
                             const joint_tree_plain_sites *sites, uint64_t coins, uint32_t reweave,
                             arena *memory, kith_error *error)
{
    plain_grower g = {.problem = p, .sites = sites, .coins = coins, .n_rounds = reweave};
    g.memory = TRY_ALLOC(arena_new(), error);
    kith_status status = find_diversity(&g, error);
    if (status == KITH_OK)
        status = run(&g, result, memory, error);
    arena_free(g.memory);
    return status;
}
