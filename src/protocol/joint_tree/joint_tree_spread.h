/* Spreading the leftovers over the leaves, with diversity by frequency only: there the leftovers
 * may be many, and a leaf may turn bad by taking records in.
 *
 * Leftovers are spread in parts (joint_tree_score_bucket). In its part every leftover asks the
 * nearest leaf, by the closures before the first part. All parties learn for every leaf whether it
 * stays good together with all that ask it; then it takes all of them, otherwise none. In the end
 * closures rise as far as the newcomers need: an AND over the nodes above them, whose bits follow
 * from the result. */
#ifndef PROTOCOL_JOINT_TREE_JOINT_TREE_SPREAD_H
#define PROTOCOL_JOINT_TREE_JOINT_TREE_SPREAD_H

#include "protocol/joint_tree/joint_tree_internal.h"

kith_status joint_tree_spread(joint_tree *j, kith_error *error) KITH_MUST_USE;

#endif
