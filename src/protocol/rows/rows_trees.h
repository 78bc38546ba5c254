/* The hierarchies in the form that the secure primitives need: nodes numbered depth first
 * (smc/compare/lca.h).
 *
 * Levels that are too wide for slots (search/slots/slots.h) are left out, the same at all parties:
 * a node there counts as its lowest ancestor in a level that is not left out.
 *
 * Invariants: number[node[i]] = i; a node has a lower number than all nodes below it, whose numbers
 * follow it without gaps. */
#ifndef PROTOCOL_ROWS_ROWS_TREES_H
#define PROTOCOL_ROWS_ROWS_TREES_H

#include "search/slots/slots.h"
#include "smc/compare/lca.h"

typedef struct rows_tree {
    const tree *tree;
    uint32_t floor;    /* lowest level that is not left out */
    lca_tree numbered; /* its nodes in depth-first order */
    uint32_t *number;  /* [tree->n_nodes] of each node, UINT32_MAX below the floor */
    uint32_t *node;    /* [numbered.n_nodes] the node of each number */
} rows_tree;

/* One for every attribute of a problem; `rows` are its whole slots. */
kith_status rows_trees_build(rows_tree **trees, const problem *p, const slots *rows, arena *memory,
                             kith_error *error);

/* The whole tree of one attribute, with all levels. */
kith_status rows_trees_whole(rows_tree *h, const tree *t, arena *memory, kith_error *error);

/* Is this a node that a closure may have? For nodes in messages of peers. */
static inline bool rows_trees_has(const rows_tree *t, uint32_t node)
{
    return node < t->tree->n_nodes && t->number[node] != UINT32_MAX;
}

#endif
