/* Growing trees of the joint tree: the shape is equal at all parties, the records in it are each
 * party's own.
 *
 * A set of records is given by a public predicate. It asks in up to three phases: which values of
 * its slots are live (A), which of their rests are big (B), and whether enough records have the
 * values of all slots with one live value and a small rest (C). Sets do not wait for each other:
 * one secure call holds the next questions of all open sets, whatever their phases, so that a tree
 * takes as many calls as the longest path from its root has phases. */
#ifndef PROTOCOL_JOINT_TREE_JOINT_TREE_GROW_H
#define PROTOCOL_JOINT_TREE_JOINT_TREE_GROW_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/error.h"

typedef struct joint_tree joint_tree; /* joint_tree_internal.h */

/* A set of records that a tree grows from. */
typedef struct joint_tree_root {
    uint64_t name;
    uint32_t first, size; /* this party's records: rows[first …] */
    uint32_t area;        /* recorded with its leaves */
    /* [n_attributes] values to ask about in attributes with more than JOINT_TREE_WIDE_VALUES live
     * values; or NULL: about all live values */
    const uint32_t *const *shown;
    const uint32_t *n_shown; /* [n_attributes] */
} joint_tree_root;

/* Trees that grow side by side. */
typedef struct joint_tree_roots {
    uint32_t *rows; /* this party's, those of each root together; sorted while the trees grow. Not
                     * the pool itself, which is filled at the same time. Of each root in the order
                     * of persons, where these count. */
    uint32_t n_rows;
    uint32_t count;
    const joint_tree_root *roots; /* [count] */
    bool first;                   /* the first tree of the run, which asks about all values */
    bool last;                    /* ejects nothing: small rests join a value */
} joint_tree_roots;

/* Sets up everything below `recorder`; the fields above must be set. */
kith_status joint_tree_grow_init(joint_tree *j, kith_error *error) KITH_MUST_USE;

/* The same setting with no leaves and an empty pool, in `memory`. */
kith_status joint_tree_grow_restart(joint_tree *j, arena *memory, kith_error *error) KITH_MUST_USE;

/* Removes leaves that have no rows at any party: gone [count of leaves]. */
kith_status joint_tree_remove_leaves(joint_tree *j, const uint8_t *gone, arena *memory,
                                     kith_error *error) KITH_MUST_USE;

/* Persons: puts the rows of the pool into their order, as tallies need them. */
void joint_tree_sort_pool(joint_tree *j);

/* Adds the leaves of all trees; rows that these eject are added to the pool. */
kith_status joint_tree_grow(joint_tree *j, joint_tree_roots roots, kith_error *error) KITH_MUST_USE;

#endif
