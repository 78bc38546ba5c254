/* Closures of leaves that are not known from their predicates. */
#ifndef PROTOCOL_JOINT_TREE_JOINT_TREE_CLOSE_H
#define PROTOCOL_JOINT_TREE_JOINT_TREE_CLOSE_H

#include "protocol/joint_tree/joint_tree_internal.h"

/* The closures of loose leaves (joint_tree_leaves) are upper bounds. One AND over all nodes below
 * the bounds finds the lowest common ancestors of the records of all parties; each of its bits
 * follows from these. */
kith_status joint_tree_close_loose(joint_tree *j, kith_error *error) KITH_MUST_USE;

#endif
