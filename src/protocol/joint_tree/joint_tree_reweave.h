/* Joint reweaving: takes apart classes with similar closures and forms their records into classes
 * anew.
 *
 * A round sorts the classes by closure and cuts this order into areas of a few classes
 * (joint_tree_score.h); both are public. In all areas at once a tree grows on their records, and a
 * second one on what the first ejects, if that may be a class; what is left joins the area's
 * costliest class. Then all parties learn one bit for every area: does the new form cost less over
 * all records? If so, it takes the place of the old one.
 *
 * Leaks, in addition to joint_tree.h: the same kinds of answers about sets that are not nested in
 * those before, so that more can be deduced from them together; closures of forms that are then
 * refused; "new forms cost less" (aggregate): a bit per area and round; with diversity by frequency
 * "classes stay good with the leftovers" (aggregate): one more bit per area and round. */
#ifndef PROTOCOL_JOINT_TREE_JOINT_TREE_REWEAVE_H
#define PROTOCOL_JOINT_TREE_JOINT_TREE_REWEAVE_H

#include "protocol/joint_tree/joint_tree_internal.h"

/* One round. All records are in leaves, whose closures are exact. */
kith_status joint_tree_reweave(joint_tree *j, uint32_t round, kith_error *error) KITH_MUST_USE;

#endif
