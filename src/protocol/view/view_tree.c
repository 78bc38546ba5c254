#include "protocol/view/view_tree.h"

#include <string.h>

#include "core/error.h"
#include "hierarchy/tree_numbering.h"

/* One row of entries per leaf, from the leaf to the root. A column whose cells are all at the root
 * has no leaf, but a tree needs one: it gets a leaf with numbers behind those of all entries. */
static void fill_paths(uint32_t *cell, const view_column *c, uint32_t n_leaves)
{
    for (uint32_t leaf = 0; leaf < n_leaves; leaf++) {
        uint32_t entry = leaf;
        for (uint32_t level = 0; level < c->n_levels; level++) {
            cell[(size_t)leaf * c->n_levels + level] = entry;
            entry = c->parent[entry];
        }
    }
    if (c->start[1] > 0)
        return;
    for (uint32_t level = 0; level + 1 < c->n_levels; level++)
        cell[level] = c->n_entries + level;
    cell[c->n_levels - 1] = c->start[c->n_levels - 1];
}

static kith_status view_tree_make_one(view_tree *t, const view_column *c, arena *memory,
                                      arena *scratch, kith_error *error)
{
    ASSERT(c->n_levels > 1 && c->n_entries - c->start[c->n_levels - 1] == 1);
    const uint32_t n_leaves = c->start[1] == 0 ? 1 : c->start[1];
    uint32_t *cell = TRY_ALLOC(arena_array(scratch, n_leaves, c->n_levels * sizeof *cell), error);
    uint32_t *order = TRY_ALLOC(arena_array(scratch, n_leaves, sizeof *order), error);
    fill_paths(cell, c, c->start[1]);
    const tree_paths paths = {cell, n_leaves, c->n_levels, c->n_entries + c->n_levels, false};
    TRY(tree_numbering_make(&t->tree, order, &paths, memory, scratch, error));
    t->node_of = TRY_ALLOC(arena_array(memory, c->n_entries, sizeof *t->node_of), error);
    t->entry_of = TRY_ALLOC(arena_array(memory, t->tree.n_nodes, sizeof *t->entry_of), error);
    memset(t->node_of, 0xff, c->n_entries * sizeof *t->node_of);
    memset(t->entry_of, 0xff, (size_t)t->tree.n_nodes * sizeof *t->entry_of);
    for (uint32_t leaf = 0; leaf < t->tree.n_leaves; leaf++)
        for (uint32_t level = 0; level < c->n_levels; level++) {
            uint32_t entry = cell[(size_t)order[leaf] * c->n_levels + level];
            if (entry >= c->n_entries) /* of the leaf that was added */
                continue;
            t->node_of[entry] = tree_up(&t->tree, leaf, level);
            t->entry_of[t->node_of[entry]] = entry;
        }
    return KITH_OK;
}

kith_status view_tree_make(view_tree *t, const view_column *c, arena *memory, kith_error *error)
{
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(memory), error);
    return view_tree_make_one(t, c, memory, scratch, error);
}
