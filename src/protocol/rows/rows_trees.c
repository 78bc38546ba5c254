#include "protocol/rows/rows_trees.h"

#include "core/check.h"
#include "core/error.h"

/* Numbers the nodes in the levels from the floor upwards; returns how many there are. A node gets
 * its number together with its first leaf, after the nodes above it. */
static uint32_t number_nodes(rows_tree *h)
{
    const tree *t = h->tree;
    uint32_t next = 0;
    for (uint32_t node = 0; node < t->n_nodes; node++)
        h->number[node] = UINT32_MAX;
    for (uint32_t leaf = 0; leaf < t->n_leaves; leaf++)
        for (uint32_t level = t->n_levels; level-- > h->floor;) {
            uint32_t node = tree_up(t, leaf, level);
            if (t->first[node] != leaf)
                continue;
            h->number[node] = next;
            h->node[next++] = node;
        }
    return next;
}

static kith_status rows_trees_build_one(rows_tree *h, arena *memory, kith_error *error)
{
    h->number = TRY_ALLOC(arena_array(memory, h->tree->n_nodes, sizeof *h->number), error);
    h->node = TRY_ALLOC(arena_array(memory, h->tree->n_nodes, sizeof *h->node), error);
    uint32_t *last = TRY_ALLOC(arena_array(memory, h->tree->n_nodes, sizeof *last), error);
    uint32_t n_nodes = number_nodes(h);
    for (uint32_t i = 0; i < n_nodes; i++)
        last[i] = i;
    for (uint32_t i = n_nodes; i-- > 1;) { /* nodes below come first */
        uint32_t above = h->number[h->tree->parent[h->node[i]]];
        ASSERT(above < i);
        last[above] = last[above] > last[i] ? last[above] : last[i];
    }
    h->numbered = (lca_tree){n_nodes, last};
    return KITH_OK;
}

kith_status rows_trees_whole(rows_tree *h, const tree *t, arena *memory, kith_error *error)
{
    *h = (rows_tree){.tree = t};
    return rows_trees_build_one(h, memory, error);
}

kith_status rows_trees_build(rows_tree **trees, const problem *p, const slots *rows, arena *memory,
                             kith_error *error)
{
    *trees = arena_zalloc(memory, p->n_attributes, sizeof **trees);
    TRY_ALLOC(*trees, error);
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        rows_tree *h = &(*trees)[j];
        h->tree = p->attributes[j].tree;
        h->floor = h->tree->n_levels - 1;
        for (uint32_t i = 0; i < rows->count; i++)
            if (rows->slots[i].attribute == j && rows->slots[i].level < h->floor)
                h->floor = rows->slots[i].level;
        TRY(rows_trees_build_one(h, memory, error));
    }
    return KITH_OK;
}
