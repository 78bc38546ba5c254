/* l-site-diversity by attributes (SDC section 6.2): a value of an attribute that tells sites apart
 * is shown only if at least l sites have records with it.
 *
 * Before the tree is grown all parties learn, for every node of the attribute's hierarchy, whether
 * at least l of them have a record below it: one secure threshold. Nodes that fewer parties have
 * are neither asked about nor released: cells count as their lowest ancestor that enough parties
 * have. */
#ifndef PROTOCOL_JOINT_TREE_JOINT_TREE_PRUNE_H
#define PROTOCOL_JOINT_TREE_JOINT_TREE_PRUNE_H

#include "protocol/options.h"
#include "protocol/joint_tree/joint_tree_internal.h"

kith_status joint_tree_prune(joint_tree *j, const protocol_options *o,
                             kith_error *error) KITH_MUST_USE;

#endif
