#include "search/regions.h"

#include "core/check.h"
#include "core/error.h"

/* --- set-up --- */

static kith_status init_ordered(region_axis *a, arena *memory, kith_error *error)
{
    const attribute *from = a->attribute;
    const uint32_t n_leaves = from->tree->n_leaves;
    const bool missing = from->missing_last;
    uint32_t *leaf_at = TRY_ARRAY(leaf_at, memory, n_leaves, error);
    a->cell_of = TRY_ARRAY(a->cell_of, memory, n_leaves, error);
    a->lowest = TRY_ARRAY(a->lowest, memory, (size_t)n_leaves + 1, error);
    a->highest = TRY_ARRAY(a->highest, memory, (size_t)n_leaves + 1, error);
    for (uint32_t leaf = 0; leaf < n_leaves; leaf++)
        leaf_at[from->rank == NULL ? leaf : from->rank[leaf]] = leaf;
    a->missing_leaf = missing ? leaf_at[n_leaves - 1] : UINT32_MAX;
    /* Cuts the order of values into cells. `leaf_at` lists the leaves in that order; the leaf of
     * the missing value is not among them. */
    const tree *t = a->attribute->tree;
    const uint32_t step = a->attribute->step;
    a->n_cells = 0;
    for (uint32_t i = 0; i < n_leaves - missing; i++) {
        const bool begins =
            i == 0 ||
            (step > 0 ? i % step == 0 : tree_up(t, leaf_at[i], 1) != tree_up(t, leaf_at[i - 1], 1));
        if (begins)
            a->lowest[a->n_cells++] = leaf_at[i];
        a->cell_of[leaf_at[i]] = a->n_cells - 1;
        a->highest[a->n_cells - 1] = leaf_at[i];
    }
    a->other = missing || from->wildcards;
    if (a->other) {
        if (missing)
            a->cell_of[a->missing_leaf] = a->n_cells;
        a->lowest[a->n_cells] = a->highest[a->n_cells] = tree_root(from->tree);
        a->n_cells++;
    }
    return KITH_OK;
}

kith_status regions_init(regions *r, const problem *p, arena *memory, kith_error *error)
{
    r->n_axes = p->n_attributes;
    r->axes = TRY_ZEROS(r->axes, memory, p->n_attributes, error);
    for (uint32_t j = 0; j < r->n_axes; j++) {
        region_axis *a = &r->axes[j];
        a->attribute = &p->attributes[j];
        a->ordered = a->attribute->ordered;
        a->other = a->attribute->wildcards;
        if (a->ordered)
            TRY(init_ordered(a, memory, error));
    }
    return KITH_OK;
}

/* --- ordered axes and trees --- */

region regions_whole(const region_axis *a)
{
    if (a->ordered)
        return (region){0, a->n_cells - 1};
    return (region){tree_root(a->attribute->tree), 0};
}

/* The children of a node are consecutive nodes of the level below. */
static uint32_t first_child(const tree *t, uint32_t node)
{
    return tree_up(t, t->first[node], t->level[node] - 1);
}

static uint32_t count_children(const tree *t, uint32_t node)
{
    return tree_up(t, t->end[node] - 1, t->level[node] - 1) - first_child(t, node) + 1;
}

/* Only the whole axis has records with wildcards beside others. */
static bool has_other(const region_axis *a, region r)
{
    return a->other && r.low == tree_root(a->attribute->tree);
}

/* A node with a single child stands for the same values: go down to where there is a choice. */
static uint32_t descend(const region_axis *a, uint32_t node)
{
    const tree *t = a->attribute->tree;
    while (t->level[node] > 0 && count_children(t, node) == 1)
        node = first_child(t, node);
    return node;
}

bool regions_can_cut(const region_axis *a, region r)
{
    if (a->ordered)
        return r.low < r.high;
    return r.low != REGION_OTHER &&
           (has_other(a, r) || a->attribute->tree->level[descend(a, r.low)] > 0);
}

double regions_width(const region_axis *a, region r)
{
    const tree *t = a->attribute->tree;
    if (a->ordered)
        return a->n_cells > 1 ? (double)(r.high - r.low) / (a->n_cells - 1) : 0;
    if (r.low == REGION_OTHER)
        return 0;
    const double all = t->n_leaves - 1.0 + a->other, here = tree_size(t, r.low) - 1.0;
    return all > 0 ? (here + has_other(a, r)) / all : 0;
}

uint32_t regions_n_children(const region_axis *a, region r)
{
    ASSERT(!a->ordered && regions_can_cut(a, r));
    if (has_other(a, r))
        return count_children(a->attribute->tree, r.low) + 1;
    return count_children(a->attribute->tree, descend(a, r.low));
}

region regions_child(const region_axis *a, region r, uint32_t index)
{
    const tree *t = a->attribute->tree;
    ASSERT(index < regions_n_children(a, r));
    const uint32_t node = has_other(a, r) ? r.low : descend(a, r.low);
    if (index == count_children(t, node))
        return (region){REGION_OTHER, 0};
    return (region){first_child(t, node) + index, 0};
}

uint32_t regions_child_of(const region_axis *a, region r, uint32_t node)
{
    const tree *t = a->attribute->tree;
    const uint32_t above = has_other(a, r) ? r.low : descend(a, r.low);
    if (a->other && node == tree_root(t))
        return count_children(t, above);
    return tree_up(t, t->first[node], t->level[above] - 1) - first_child(t, above);
}

/* --- what a release shows --- */

uint32_t regions_closure(const region_axis *a, region r)
{
    const tree *t = a->attribute->tree;
    if (!a->ordered)
        return r.low == REGION_OTHER || has_other(a, r) ? tree_root(t) : descend(a, r.low);
    if (a->other && r.high == a->n_cells - 1)
        return r.low == r.high && a->missing_leaf != UINT32_MAX ? a->missing_leaf : tree_root(t);
    /* The lowest node above all leaves whose cell is in low … high. */
    uint32_t node = a->lowest[r.low];
    for (uint32_t leaf = 0; leaf < t->n_leaves && node != tree_root(t); leaf++)
        if (a->cell_of[leaf] >= r.low && a->cell_of[leaf] <= r.high)
            node = tree_lca(t, node, leaf);
    return node;
}

void regions_range(const region_axis *a, region r, uint32_t *low, uint32_t *high)
{
    if (a->ordered && !(a->other && r.high == a->n_cells - 1)) {
        *low = a->lowest[r.low];
        *high = a->highest[r.high];
    } else
        *low = *high = regions_closure(a, r);
}
