/* The end of the joint tree: closures that the predicates of leaves do not tell, leftovers, sizes.
 */
#ifndef PROTOCOL_JOINT_TREE_JOINT_TREE_CLOSE_H
#define PROTOCOL_JOINT_TREE_JOINT_TREE_CLOSE_H

#include "protocol/joint_tree/joint_tree_grow.h"

/* What is known of the closures of loose leaves (tree_grow.h) are bounds. One AND over all nodes
 * below the bounds finds the lowest common ancestors; every one of its bits follows from these. */
kith_status joint_tree_close_loose(joint_tree *f, kith_error *error) KITH_MUST_USE;

/* What is left in the pools, too little for a class, joins the leaf with the highest closure cost
 * per record. Where that may break a model, the first in this order that stays good; if none does,
 * the fewest of the first ones that do together become one leaf. *gone gets leaves that are empty
 * now ([leaves] of flags). Closures rise as far as the leftovers need: an AND over the nodes above
 * them, whose bits follow from the result. */
kith_status joint_tree_close_leftovers(joint_tree *f, uint8_t *gone,
                                       kith_error *error) KITH_MUST_USE;

#endif
