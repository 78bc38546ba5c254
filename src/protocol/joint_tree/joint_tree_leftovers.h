/* What is left in the pools after the last tree, too little for a class, joins classes that exist.
 */
#ifndef PROTOCOL_JOINT_TREE_JOINT_TREE_LEFTOVERS_H
#define PROTOCOL_JOINT_TREE_JOINT_TREE_LEFTOVERS_H

#include "protocol/joint_tree/joint_tree_internal.h"

/* The leftovers join the leaf with the highest closure cost per record. Where that may break a
 * model, they join the first leaf in this order that stays good; if no leaf does, the fewest of the
 * first ones that stay good together become one leaf, and the others of these are removed. The
 * closure rises as far as the leftovers need: an AND over the nodes above it, whose bits follow
 * from the result. */
kith_status joint_tree_leftovers(joint_tree *j, kith_error *error) KITH_MUST_USE;

#endif
