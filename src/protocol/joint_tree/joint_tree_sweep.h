/* Leftovers ask for classes, with diversity by frequency only: there they may be many, and a class
 * may turn bad by taking records in.
 *
 * In a sweep every leftover asks the class that loses least by it, except for those that its site
 * knows to be full for its sensitive value. All parties learn which classes are asked for. Those
 * are trimmed together with the records that ask, of which only these may be turned away: a site
 * that had to keep one of its own back knows then that the class is full for this value. If several
 * sensitive attributes are trimmed, all parties then learn whether the class keeps the models with
 * those that it would take in; if not, it takes in nobody. Closures
 * rise after each sweep as far as the newcomers need: an AND over the nodes above them. */
#ifndef PROTOCOL_JOINT_TREE_JOINT_TREE_SWEEP_H
#define PROTOCOL_JOINT_TREE_JOINT_TREE_SWEEP_H

#include "protocol/joint_tree/joint_tree_internal.h"

/* JOINT_TREE_SWEEPS or JOINT_TREE_MORE_SWEEPS of them, or fewer if nobody asks any more. */
kith_status joint_tree_sweep(joint_tree *j, kith_error *error) KITH_MUST_USE;

#endif
