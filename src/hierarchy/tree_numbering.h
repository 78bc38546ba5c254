/* Gives leaves and nodes the numbers that tree.h promises. */
#ifndef HIERARCHY_TREE_NUMBERING_H
#define HIERARCHY_TREE_NUMBERING_H

#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"
#include "hierarchy/tree.h"

/* The paths from the leaves to the root, one row per leaf, leaf first and root last. Two leaves
 * with the same id at a level are below the same node there, and so at every higher level (the
 * caller has checked it). */
typedef struct tree_paths {
    const uint32_t *ids; /* [n_leaves][n_levels] all below n_ids */
    uint32_t n_leaves;   /* at least 1 */
    uint32_t n_levels, n_ids;
    bool in_order; /* the rows are known to be in depth-first order: they need no sorting */
} tree_paths;

/* Siblings keep the order in which they first occur. order[i] receives the row that became leaf i.
 * The tree lives in `memory`; `scratch` may be freed afterwards. Cost: leaves x levels. */
kith_status tree_numbering_make(tree *t, uint32_t *order, const tree_paths *paths, arena *memory,
                                arena *scratch, kith_error *error);

#endif
