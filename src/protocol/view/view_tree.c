#include "protocol/view/view_tree.h"

#include <string.h>

#include "core/error.h"
#include "hierarchy/tree_numbering.h"

/* One row of entries per leaf, from the leaf to the root. A column whose cells are all at the root
 * has no leaf: it gets one, which has no entry but ids of its own. */
static void fill_paths(uint32_t *cell, const view_column *c, uint32_t leaves)
{
    for (uint32_t leaf = 0; leaf < leaves; leaf++) {
        uint32_t entry = leaf;
        for (uint32_t level = 0; level < c->levels; level++) {
            cell[(size_t)leaf * c->levels + level] = entry;
            entry = c->parent[entry];
        }
    }
    if (c->start[1] > 0)
        return;
    for (uint32_t level = 0; level + 1 < c->levels; level++)
        cell[level] = c->entries + level;
    cell[c->levels - 1] = c->start[c->levels - 1];
}

static void map_nodes(view_tree *t, const view_column *c, const uint32_t *cell,
                      const uint32_t *order)
{
    memset(t->node_of, 0xff, c->entries * sizeof *t->node_of);
    memset(t->entry_of, 0xff, (size_t)t->tree.nodes * sizeof *t->entry_of);
    for (uint32_t leaf = 0; leaf < t->tree.leaves; leaf++)
        for (uint32_t level = 0; level < c->levels; level++) {
            uint32_t entry = cell[(size_t)order[leaf] * c->levels + level];
            if (entry >= c->entries)
                continue;
            t->node_of[entry] = tree_up(&t->tree, leaf, level);
            t->entry_of[t->node_of[entry]] = entry;
        }
}

static kith_status make(view_tree *t, const view_column *c, arena *memory, arena *scratch,
                        kith_error *error)
{
    const uint32_t leaves = c->start[1] == 0 ? 1 : c->start[1];
    uint32_t *cell = TRY_ALLOC(arena_array(scratch, leaves, c->levels * sizeof *cell), error);
    uint32_t *order = TRY_ALLOC(arena_array(scratch, leaves, sizeof *order), error);
    fill_paths(cell, c, c->start[1]);
    TRY(numbering_make(&t->tree, order, memory, scratch, cell, leaves, c->levels,
                       c->entries + c->levels, error));
    t->node_of = TRY_ALLOC(arena_array(memory, c->entries, sizeof *t->node_of), error);
    t->entry_of = TRY_ALLOC(arena_array(memory, t->tree.nodes, sizeof *t->entry_of), error);
    map_nodes(t, c, cell, order);
    return KITH_OK;
}

kith_status view_tree_make(view_tree *t, const view_column *c, arena *memory, kith_error *error)
{
    arena *scratch = TRY_ALLOC(arena_new(), error);
    kith_status status = make(t, c, memory, scratch, error);
    arena_free(scratch);
    return status;
}
