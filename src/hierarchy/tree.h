/* The structure of a generalization hierarchy, without labels: all that a search ever sees.
 *
 * Invariants: every leaf has an ancestor at every level; level 0 are the leaves, level
 * n_levels-1 is the root alone; n_levels >= 2. Node ids go level by level, leaves first: leaf i is
 * node i, the root is node n_nodes-1. Leaves are numbered depth-first, so that the leaves below any
 * node are an interval first[node] … end[node]-1, and the nodes of one level follow in leaf order.
 * A node with a single child stands for the same set as its child; the lower one is preferred in a
 * release. */
#ifndef HIERARCHY_TREE_H
#define HIERARCHY_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/check.h"

typedef struct tree {
    uint32_t n_leaves;
    uint32_t n_nodes;
    uint32_t n_levels;
    const uint32_t *level_start; /* [n_levels + 1] first node of each level */
    const uint32_t *first;       /* [n_nodes] */
    const uint32_t *end;         /* [n_nodes] */
    const uint32_t *parent;      /* [n_nodes] the root's parent is itself */
    const uint8_t *level;        /* [n_nodes] */
    const uint32_t *up;          /* [n_levels * n_leaves] ancestor of a leaf at a level */
} tree;

#if KITH_DEBUG
/* Checks the invariants above; the cost is leaves x levels. */
void tree_check(const tree *t);
#endif

static inline uint32_t tree_root(const tree *t)
{
    return t->n_nodes - 1;
}

/* Number of leaves below a node. */
static inline uint32_t tree_size(const tree *t, uint32_t node)
{
    ASSERT(node < t->n_nodes);
    return t->end[node] - t->first[node];
}

/* Ancestor of a leaf at a level. */
static inline uint32_t tree_up(const tree *t, uint32_t leaf, uint32_t level)
{
    ASSERT(leaf < t->n_leaves && level < t->n_levels);
    return t->up[(uint64_t)level * t->n_leaves + leaf];
}

/* Is `node` below `ancestor` or equal to it? */
static inline bool tree_covers(const tree *t, uint32_t ancestor, uint32_t node)
{
    ASSERT(ancestor < t->n_nodes && node < t->n_nodes);
    return t->first[ancestor] <= t->first[node] && t->end[node] <= t->end[ancestor] &&
           t->level[node] <= t->level[ancestor];
}

/* Lowest common ancestor. */
static inline uint32_t tree_lca(const tree *t, uint32_t a, uint32_t b)
{
    ASSERT(a < t->n_nodes && b < t->n_nodes);
    if (a == b)
        return a;
    uint32_t level = t->level[a] > t->level[b] ? t->level[a] : t->level[b];
    const uint32_t *up = t->up + (uint64_t)level * t->n_leaves;
    while (up[t->first[a]] != up[t->first[b]])
        up += t->n_leaves;
    return up[t->first[a]];
}

#endif
