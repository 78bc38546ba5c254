/* Spreading the leftovers of a joint tree with diversity by frequency: search/weave_bits_rules.h
 * has the rule.
 *
 * Part by part, every leftover asks the nearest leaf, as closures are before the first part; all
 * parties learn for every leaf whether it stays good with those that come at once, and then it
 * takes them in. In the end closures rise as far as the newcomers need: an AND over the nodes above
 * them, whose bits follow from the result. */
#ifndef PROTOCOL_JOINT_TREE_JOINT_TREE_SPREAD_H
#define PROTOCOL_JOINT_TREE_JOINT_TREE_SPREAD_H

#include "protocol/joint_tree/joint_tree_grow.h"

kith_status joint_tree_spread(joint_tree *f, kith_error *error) KITH_MUST_USE;

#endif
