/* The steps of a run around the growing of trees, in their order. */
#ifndef PROTOCOL_JOINT_TREE_JOINT_TREE_STEPS_H
#define PROTOCOL_JOINT_TREE_JOINT_TREE_STEPS_H

#include "protocol/options.h"
#include "protocol/joint_tree/joint_tree_internal.h"

/* l-site-diversity by attributes (SDC section 6.2): a value of an attribute that tells sites apart
 * is shown only if at least l sites have records with it.
 *
 * Before the tree is grown all parties learn, for every node of the attribute's hierarchy, whether
 * at least l of them have a record below it: one secure threshold. Nodes that fewer parties have
 * are neither asked about nor released: cells count as their lowest ancestor that enough parties
 * have. */
kith_status joint_tree_prune(joint_tree *j, const protocol_options *o,
                             kith_error *error) KITH_MUST_USE;

/* The closures of loose leaves (joint_tree_leaves) are upper bounds. One AND over all nodes below
 * the bounds finds the lowest common ancestors of the records of all parties; each of its bits
 * follows from these. */
kith_status joint_tree_close_loose(joint_tree *j, kith_error *error) KITH_MUST_USE;

/* Leftovers ask for classes, with diversity by frequency only: there they may be many, and a class
 * may turn bad by taking records in.
 *
 * In a sweep every leftover asks the class that loses least by it, except for those that its site
 * knows to be full for its sensitive value. All parties learn which classes are asked for. Those
 * are trimmed together with the records that ask, of which only these may be turned away: a site
 * that had to keep one of its own back knows then that the class is full for this value. If several
 * sensitive attributes are trimmed, all parties then learn whether the class keeps the models with
 * those that it would take in; if not, the class takes none of them. Closures rise after each sweep
 * as far as the newcomers need: an AND over the nodes above them.
 *
 * JOINT_TREE_SWEEPS or JOINT_TREE_MORE_SWEEPS of them, or fewer if no leftover asks any more. */
kith_status joint_tree_sweep(joint_tree *j, kith_error *error) KITH_MUST_USE;

/* What is left in the pools after the last tree, too little for a class, joins the leaf with the
 * highest closure cost per record. Where that may break a model, it joins the first leaf in this
 * order that stays good; if no leaf does, the fewest of the first ones that stay good together
 * become one leaf, and the others of these are removed. The closure rises as far as the leftovers
 * need: an AND over the nodes above it, whose bits follow from the result. */
kith_status joint_tree_leftovers(joint_tree *j, kith_error *error) KITH_MUST_USE;

/* The last step: size [n_leaves] gets the records of all parties in every leaf.
 *
 * Every class keeps the models if all parties have followed the protocol. A party that has not may
 * have made sets of one record pass for classes; opened sizes would show all parties what it did.
 * So the first two parties ask once more whether every class keeps the models, each in a call whose
 * answers it receives itself, and say yes or no to all. Sizes are opened only after two times yes:
 * they are a sum to which every party must contribute, and no honest party does otherwise. A party
 * that claims records which it does not have is not noticed: no comparison can see that.
 *
 * KITH_PEER, before anything is opened, if one of the two finds that a leaf breaks the models. */
kith_status joint_tree_sizes(const joint_tree *j, uint64_t *size, kith_error *error) KITH_MUST_USE;

#endif
