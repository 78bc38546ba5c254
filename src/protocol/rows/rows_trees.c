#include "protocol/rows/rows_trees.h"

#include "core/error.h"

/* Numbers the nodes from the floor upwards: a node comes when its first leaf does, after all nodes
 * above it. */
static uint32_t number_nodes(horizontal_tree *h)
{
    const tree *t = h->tree;
    uint32_t next = 0;
    for (uint32_t node = 0; node < t->nodes; node++)
        h->number[node] = UINT32_MAX;
    for (uint32_t leaf = 0; leaf < t->leaves; leaf++)
        for (uint32_t level = t->levels; level-- > h->floor;) {
            uint32_t node = tree_up(t, leaf, level);
            if (t->first[node] != leaf)
                continue;
            h->number[node] = next;
            h->node[next++] = node;
        }
    return next;
}

/* last[v] is the number of the last node below v. */
static void find_last(const horizontal_tree *h, uint32_t *last, uint32_t nodes)
{
    for (uint32_t v = 0; v < nodes; v++)
        last[v] = v;
    for (uint32_t v = nodes; v-- > 1;) {
        uint32_t above = h->number[h->tree->parent[h->node[v]]];
        last[above] = last[above] > last[v] ? last[above] : last[v];
    }
}

static kith_status build(horizontal_tree *h, arena *memory, kith_error *error)
{
    h->number = TRY_ALLOC(arena_array(memory, h->tree->nodes, sizeof *h->number), error);
    h->node = TRY_ALLOC(arena_array(memory, h->tree->nodes, sizeof *h->node), error);
    uint32_t *last = TRY_ALLOC(arena_array(memory, h->tree->nodes, sizeof *last), error);
    uint32_t nodes = number_nodes(h);
    find_last(h, last, nodes);
    h->numbered = (lca_tree){nodes, last};
    return KITH_OK;
}

kith_status horizontal_trees_whole(horizontal_tree *h, const tree *t, arena *memory,
                                   kith_error *error)
{
    *h = (horizontal_tree){.tree = t};
    return build(h, memory, error);
}

kith_status horizontal_trees_build(horizontal_tree **trees, const problem *p, const slots *rows,
                                   arena *memory, kith_error *error)
{
    *trees = arena_zalloc(memory, p->attributes, sizeof **trees);
    TRY_ALLOC(*trees, error);
    for (uint32_t j = 0; j < p->attributes; j++) {
        horizontal_tree *h = &(*trees)[j];
        h->tree = p->attribute[j].tree;
        h->floor = h->tree->levels - 1;
        for (uint32_t i = 0; i < rows->count; i++)
            if (rows->slot[i].attribute == j && rows->slot[i].level < h->floor)
                h->floor = rows->slot[i].level;
        TRY(build(h, memory, error));
    }
    return KITH_OK;
}
