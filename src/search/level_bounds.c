#include "search/level_bounds.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "core/sort.h"

bool level_bounds_low(const problem *p)
{
    for (uint32_t j = 0; j < p->n_attributes; j++)
        if (p->attributes[j].min_level > 0)
            return true;
    return false;
}

bool level_bounds_high(const problem *p)
{
    for (uint32_t j = 0; j < p->n_attributes; j++)
        if (p->attributes[j].n_forbidden > 0)
            return true;
    return false;
}

/* A tree has at least two levels: an attribute that may show its root only gets one leaf. */
static bool is_root_only(const attribute *a)
{
    return a->min_level + 1 == a->tree->n_levels;
}

/* The node of the original tree that a node of the cut one stands for. */
static uint32_t original_node(const attribute *original, uint32_t node)
{
    return is_root_only(original) ? tree_root(original->tree)
                                  : original->tree->level_start[original->min_level] + node;
}

void level_bounds_restore(uint32_t *nodes, size_t n_rows, const problem *original)
{
    for (size_t i = 0; nodes != NULL && i < n_rows; i++)
        for (uint32_t j = 0; j < original->n_attributes; j++) {
            uint32_t *node = &nodes[i * original->n_attributes + j];
            if (original->attributes[j].min_level > 0)
                *node = original_node(&original->attributes[j], *node);
        }
}

/* The arrays of a tree that is being made. */
typedef struct tree_arrays {
    uint32_t *level_start, *first, *end, *parent, *up;
    uint8_t *level;
} tree_arrays;

static kith_status allocate(tree **made, tree_arrays *to, uint32_t n_leaves, uint32_t n_nodes,
                            uint32_t n_levels, arena *memory, kith_error *error)
{
    tree *t = TRY_ALLOC(arena_alloc(memory, sizeof *t), error);
    to->level_start = TRY_ARRAY(to->level_start, memory, n_levels + (size_t)1, error);
    to->first = TRY_ARRAY(to->first, memory, n_nodes, error);
    to->end = TRY_ARRAY(to->end, memory, n_nodes, error);
    to->parent = TRY_ARRAY(to->parent, memory, n_nodes, error);
    to->level = TRY_ARRAY(to->level, memory, n_nodes, error);
    to->up = TRY_ARRAY(to->up, memory, (size_t)n_levels * n_leaves, error);
    *t = (tree){.n_leaves = n_leaves,
                .n_nodes = n_nodes,
                .n_levels = n_levels,
                .level_start = to->level_start,
                .first = to->first,
                .end = to->end,
                .parent = to->parent,
                .level = to->level,
                .up = to->up};
    *made = t;
    return KITH_OK;
}

/* A leaf below the root, both of which stand for everything. */
static kith_status make_stump(tree **made, arena *memory, kith_error *error)
{
    tree_arrays to;
    TRY(allocate(made, &to, 1, 2, 2, memory, error));
    for (uint32_t node = 0; node < 2; node++) {
        to.level_start[node] = node;
        to.first[node] = 0;
        to.end[node] = 1;
        to.parent[node] = 1;
        to.level[node] = (uint8_t)node;
        to.up[node] = node;
    }
    to.level_start[2] = 2;
    return KITH_OK;
}

/* The levels from `low` on. Nodes are numbered level by level, therefore all numbers fall by the
 * same amount. */
static kith_status cut_tree(tree **made, const tree *t, uint32_t low, arena *memory,
                            kith_error *error)
{
    uint32_t gone = t->level_start[low], n_levels = t->n_levels - low;
    uint32_t n_leaves = t->level_start[low + 1] - gone, n_nodes = t->n_nodes - gone;
    tree_arrays to;
    TRY(allocate(made, &to, n_leaves, n_nodes, n_levels, memory, error));
    for (uint32_t level = 0; level <= n_levels; level++)
        to.level_start[level] = t->level_start[level + low] - gone;
    for (uint32_t node = 0; node < n_nodes; node++) {
        uint32_t old = node + gone;
        to.first[node] = tree_up(t, t->first[old], low) - gone;
        to.end[node] = tree_up(t, t->end[old] - 1, low) - gone + 1;
        to.parent[node] = t->parent[old] - gone;
        to.level[node] = (uint8_t)(t->level[old] - low);
    }
    for (uint32_t level = 0; level < n_levels; level++)
        for (uint32_t leaf = 0; leaf < n_leaves; leaf++)
            to.up[(size_t)level * n_leaves + leaf] =
                tree_up(t, t->first[leaf + gone], level + low) - gone;
    CHECK(tree_check(*made));
    return KITH_OK;
}

/* A place in an order, and what stands there. */
typedef struct ranked {
    uint32_t key, leaf;
} ranked;

/* The new leaves in the order of their smallest values. The missing value stays the last one if it
 * is not below a node with others. */
static kith_status order_leaves(attribute *cut, const attribute *a, arena *memory,
                                kith_error *error)
{
    const tree *t = a->tree;
    uint32_t n_leaves = cut->tree->n_leaves;
    if (a->rank == NULL)
        return KITH_OK;
    ranked *list = TRY_ARRAY(list, memory, n_leaves, error);
    uint32_t *rank = TRY_ARRAY(rank, memory, n_leaves, error);
    for (uint32_t i = 0; i < n_leaves; i++) {
        uint32_t node = original_node(a, i);
        list[i] = (ranked){UINT32_MAX, i};
        for (uint32_t leaf = t->first[node]; leaf < t->end[node]; leaf++) {
            list[i].key = a->rank[leaf] < list[i].key ? a->rank[leaf] : list[i].key;
            if (a->rank[leaf] + 1 == t->n_leaves && tree_size(t, node) > 1)
                cut->missing_last = false;
        }
    }
    qsort(list, n_leaves, sizeof *list, sort_uint32);
    for (uint32_t i = 0; i < n_leaves; i++)
        rank[list[i].leaf] = i;
    cut->rank = rank;
    return KITH_OK;
}

/* Costs that depend on sensitive values have a row of `width` numbers for each node. */
static kith_status cut_costs(const double **cost, const attribute *a, const double *old,
                             size_t width, arena *memory, kith_error *error)
{
    size_t root = tree_root(a->tree) * width;
    if (old == NULL || !is_root_only(a)) {
        *cost = old == NULL ? NULL : old + a->tree->level_start[a->min_level] * width;
        return KITH_OK;
    }
    double *two = TRY_ARRAY(two, memory, 2 * width, error);
    memcpy(two, old + root, width * sizeof *two);
    memcpy(two + width, old + root, width * sizeof *two);
    *cost = two;
    return KITH_OK;
}

static kith_status cut_attribute(attribute *cut, const problem *p, const attribute *a,
                                 arena *memory, kith_error *error)
{
    const tree *t = a->tree;
    tree *made;
    *cut = *a;
    if (a->min_level == 0)
        return KITH_OK;
    if (is_root_only(a))
        TRY(make_stump(&made, memory, error));
    else
        TRY(cut_tree(&made, t, a->min_level, memory, error));
    cut->tree = made;
    cut->min_level = 0;
    TRY(order_leaves(cut, a, memory, error));
    TRY(cut_costs(&cut->cost, a, a->cost, 1, memory, error));
    TRY(cut_costs(&cut->sensitive_cost, a, a->sensitive_cost,
                  problem_costs_sensitive(p) ? p->sensitive[p->cost_sensitive].count : 1, memory,
                  error));
    uint32_t *cells = TRY_ARRAY(cells, memory, p->n_records, error);
    for (uint32_t i = 0; i < p->n_records; i++)
        if (a->cells[i] >= t->n_leaves)
            cells[i] = tree_root(made);
        else
            cells[i] = is_root_only(a)
                           ? 0
                           : tree_up(t, a->cells[i], a->min_level) - t->level_start[a->min_level];
    cut->cells = cells;
    return KITH_OK;
}

kith_status level_bounds_cut(problem *cut, const problem *p, arena *memory, kith_error *error)
{
    ASSERT(!models_need_closure(p->models, p->n_models) || !level_bounds_low(p));
    attribute *attributes = TRY_ARRAY(attributes, memory, p->n_attributes, error);
    for (uint32_t j = 0; j < p->n_attributes; j++)
        TRY(cut_attribute(&attributes[j], p, &p->attributes[j], memory, error));
    *cut = *p;
    cut->attributes = attributes;
    return KITH_OK;
}

/* The node of a record's cell at the highest level allowed. */
static uint32_t highest_node(const attribute *a, uint32_t record)
{
    const tree *t = a->tree;
    ASSERT(a->cells[record] < t->n_leaves);
    return tree_up(t, a->cells[record], t->n_levels - 1 - a->n_forbidden);
}

static int compare_nodes(const problem *p, uint32_t a, uint32_t b)
{
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        const attribute *at = &p->attributes[j];
        if (at->n_forbidden == 0)
            continue;
        uint32_t x = highest_node(at, a), y = highest_node(at, b);
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

static int by_nodes(const void *a, const void *b, void *user)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int order = compare_nodes(user, x, y);
    return order != 0 ? order : (x > y) - (x < y);
}

/* A group in the sorted list. */
typedef struct stretch {
    uint32_t first, from, size;
} stretch;

kith_status level_bounds_groups(level_groups *groups, const problem *p, const uint32_t *records,
                                uint32_t n, arena *memory, kith_error *error)
{
    uint32_t *sorted = TRY_ARRAY(sorted, memory, n, error);
    stretch *list = TRY_ARRAY(list, memory, n, error);
    *groups = (level_groups){.count = 0};
    memcpy(sorted, records, n * sizeof *sorted);
    qsort_r(sorted, n, sizeof *sorted, by_nodes, (void *)(uintptr_t)p);
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || compare_nodes(p, sorted[i - 1], sorted[i]) != 0)
            list[groups->count++] = (stretch){sorted[i], i, 0};
        list[groups->count - 1].size++;
    }
    qsort(list, groups->count, sizeof *list, sort_uint32);
    groups->order = TRY_ARRAY(groups->order, memory, n, error);
    groups->start = TRY_ZEROS(groups->start, memory, groups->count + (size_t)1, error);
    for (uint32_t g = 0; g < groups->count; g++) {
        memcpy(groups->order + groups->start[g], sorted + list[g].from,
               list[g].size * sizeof *sorted);
        groups->start[g + 1] = groups->start[g] + list[g].size;
    }
    return KITH_OK;
}
