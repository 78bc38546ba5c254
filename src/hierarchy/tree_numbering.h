/* Gives leaves and nodes the numbers that tree.h promises. */
#ifndef HIERARCHY_TREE_NUMBERING_H
#define HIERARCHY_TREE_NUMBERING_H

#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"
#include "hierarchy/tree.h"

/* `cell` has `n_levels` ids for each of `n_leaves` >= 1 leaves, leaf first and root last, row by
 * row; all are below `n_ids`. Two leaves with the same id at a level are below the same node there,
 * and so at every higher level (the caller has checked it). Siblings keep the order in which they
 * first occur. order[i] receives the row that became leaf i. The tree lives in `memory`; `scratch`
 * may be freed afterwards. Cost: leaves x levels. */
kith_status tree_numbering_make(tree *t, uint32_t *order, arena *memory, arena *scratch,
                                const uint32_t *cell, uint32_t n_leaves, uint32_t n_levels,
                                uint32_t n_ids, kith_error *error);

#endif
