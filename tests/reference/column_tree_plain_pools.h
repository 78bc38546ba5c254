/* The joint tree of columns with `pools` (protocol/column_tree/column_tree_pools.c) in one place,
 * as a recursion: what the joint run must equal, whoever holds what. */
#ifndef REFERENCE_COLUMN_TREE_PLAIN_POOLS_H
#define REFERENCE_COLUMN_TREE_PLAIN_POOLS_H

#include "search/partition.h"

/* Closures are the lowest common ancestors. `unit`: of scores. */
kith_status column_tree_plain_pools(partition *result, const problem *p, double unit, arena *memory,
                                    kith_error *error) KITH_MUST_USE;

#endif
