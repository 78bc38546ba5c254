/* Small hierarchies for tests, without labels. Header only; everything lives in an arena. */
#ifndef SUPPORT_TREES_H
#define SUPPORT_TREES_H

#include <stdint.h>
#include <stdlib.h>

#include "core/arena.h"
#include "hierarchy/tree.h"

/* Makes a tree from up[n_levels * n_leaves], where up[level * n_leaves + leaf] numbers the ancestor
 * of a leaf within its level: 0, 1, … in leaf order. Level 0 must be the identity, the last all 0.
 */
static inline tree *trees_from_groups(arena *memory, uint32_t n_leaves, uint32_t n_levels,
                                      const uint32_t *group)
{
    uint32_t *start = arena_zalloc(memory, n_levels + 1, sizeof *start);
    for (uint32_t l = 0; l < n_levels; l++)
        start[l + 1] = start[l] + group[l * n_leaves + n_leaves - 1] + 1;
    uint32_t n_nodes = start[n_levels];
    tree *t = arena_zalloc(memory, 1, sizeof *t);
    uint32_t *first = arena_zalloc(memory, n_nodes, sizeof *first);
    uint32_t *end = arena_zalloc(memory, n_nodes, sizeof *end);
    uint32_t *parent = arena_zalloc(memory, n_nodes, sizeof *parent);
    uint8_t *level = arena_zalloc(memory, n_nodes, sizeof *level);
    uint32_t *up = arena_zalloc(memory, (size_t)n_levels * n_leaves, sizeof *up);
    for (uint32_t l = 0; l < n_levels; l++)
        for (uint32_t leaf = n_leaves; leaf-- > 0;) {
            uint32_t node = start[l] + group[l * n_leaves + leaf];
            up[l * n_leaves + leaf] = node;
            first[node] = leaf;
            end[node] = end[node] == 0 ? leaf + 1 : end[node];
            level[node] = (uint8_t)l;
            parent[node] =
                l + 1 < n_levels ? start[l + 1] + group[(l + 1) * n_leaves + leaf] : node;
        }
    *t = (tree){n_leaves, n_nodes, n_levels, start, first, end, parent, level, up};
    return t;
}

/* Leaves below the root and nothing between. */
static inline tree *trees_flat(arena *memory, uint32_t n_leaves)
{
    uint32_t *group = arena_zalloc(memory, 2 * (size_t)n_leaves, sizeof *group);
    for (uint32_t leaf = 0; leaf < n_leaves; leaf++)
        group[leaf] = leaf;
    return trees_from_groups(memory, n_leaves, 2, group);
}

/* Groups of `width` neighbours, groups of `width` groups, …, and a root. */
static inline tree *trees_grouped(arena *memory, uint32_t n_leaves, uint32_t width)
{
    uint32_t n_levels = 1;
    for (uint32_t left = n_leaves; left > 1; left = (left + width - 1) / width)
        n_levels++;
    n_levels = n_levels < 2 ? 2 : n_levels;
    uint32_t *group = arena_zalloc(memory, (size_t)n_levels * n_leaves, sizeof *group);
    uint32_t span = 1;
    for (uint32_t l = 0; l < n_levels; l++, span *= width)
        for (uint32_t leaf = 0; leaf < n_leaves; leaf++)
            group[l * n_leaves + leaf] = leaf / span;
    return trees_from_groups(memory, n_leaves, n_levels, group);
}

#endif
