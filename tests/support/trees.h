/* Small hierarchies for tests, without labels. Header only; everything lives in an arena. */
#ifndef SUPPORT_TREES_H
#define SUPPORT_TREES_H

#include <stdint.h>
#include <stdlib.h>

#include "core/arena.h"
#include "hierarchy/tree.h"

/* Makes a tree from up[levels * leaves], where up[level * leaves + leaf] numbers the ancestor of a
 * leaf within its level: 0, 1, … in leaf order. Level 0 must be the identity, the last all 0. */
static inline tree *trees_from_groups(arena *memory, uint32_t leaves, uint32_t levels,
                                      const uint32_t *group)
{
    uint32_t *start = arena_zalloc(memory, levels + 1, sizeof *start);
    for (uint32_t l = 0; l < levels; l++)
        start[l + 1] = start[l] + group[l * leaves + leaves - 1] + 1;
    uint32_t nodes = start[levels];
    tree *t = arena_zalloc(memory, 1, sizeof *t);
    uint32_t *first = arena_zalloc(memory, nodes, sizeof *first);
    uint32_t *end = arena_zalloc(memory, nodes, sizeof *end);
    uint32_t *parent = arena_zalloc(memory, nodes, sizeof *parent);
    uint8_t *level = arena_zalloc(memory, nodes, sizeof *level);
    uint32_t *up = arena_zalloc(memory, (size_t)levels * leaves, sizeof *up);
    for (uint32_t l = 0; l < levels; l++)
        for (uint32_t leaf = leaves; leaf-- > 0;) {
            uint32_t node = start[l] + group[l * leaves + leaf];
            up[l * leaves + leaf] = node;
            first[node] = leaf;
            end[node] = end[node] == 0 ? leaf + 1 : end[node];
            level[node] = (uint8_t)l;
            parent[node] = l + 1 < levels ? start[l + 1] + group[(l + 1) * leaves + leaf] : node;
        }
    *t = (tree){leaves, nodes, levels, start, first, end, parent, level, up};
    return t;
}

/* Leaves below the root and nothing between. */
static inline tree *trees_flat(arena *memory, uint32_t leaves)
{
    uint32_t *group = arena_zalloc(memory, 2 * (size_t)leaves, sizeof *group);
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
        group[leaf] = leaf;
    return trees_from_groups(memory, leaves, 2, group);
}

/* Groups of `width` neighbours, groups of `width` groups, …, and a root. */
static inline tree *trees_grouped(arena *memory, uint32_t leaves, uint32_t width)
{
    uint32_t levels = 1;
    for (uint32_t left = leaves; left > 1; left = (left + width - 1) / width)
        levels++;
    levels = levels < 2 ? 2 : levels;
    uint32_t *group = arena_zalloc(memory, (size_t)levels * leaves, sizeof *group);
    uint32_t span = 1;
    for (uint32_t l = 0; l < levels; l++, span *= width)
        for (uint32_t leaf = 0; leaf < leaves; leaf++)
            group[l * leaves + leaf] = leaf / span;
    return trees_from_groups(memory, leaves, levels, group);
}

#endif
