#include "hierarchy/tree.h"

#if KITH_DEBUG

void tree_check(const tree *t)
{
    ASSERT(t->n_leaves >= 1 && t->n_levels >= 2);
    ASSERT(t->level_start[0] == 0 && t->level_start[1] == t->n_leaves);
    ASSERT(t->level_start[t->n_levels - 1] == tree_root(t));
    ASSERT(t->level_start[t->n_levels] == t->n_nodes);
    for (uint32_t level = 0; level < t->n_levels; level++) {
        /* The nodes of a level divide the leaves among them, from left to right. */
        uint32_t begin = t->level_start[level], end = t->level_start[level + 1];
        ASSERT(begin < end && end <= t->n_nodes);
        ASSERT(t->first[begin] == 0 && t->end[end - 1] == t->n_leaves);
        for (uint32_t node = begin; node < end; node++) {
            ASSERT(t->level[node] == level);
            ASSERT(t->first[node] < t->end[node]);
            ASSERT(node == begin || t->first[node] == t->end[node - 1]);
            for (uint32_t leaf = t->first[node]; leaf < t->end[node]; leaf++)
                ASSERT(tree_up(t, leaf, level) == node);
        }
    }
    ASSERT(t->parent[tree_root(t)] == tree_root(t));
    for (uint32_t node = 0; node < tree_root(t); node++) {
        uint32_t parent = t->parent[node];
        ASSERT(parent < t->n_nodes && t->level[parent] == t->level[node] + 1);
        ASSERT(tree_covers(t, parent, node));
    }
}

#endif
