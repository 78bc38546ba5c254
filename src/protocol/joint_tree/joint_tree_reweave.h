/* Joint reweaving: classes that lie near each other are taken apart and woven anew.
 *
 * A round puts the classes in an order of their closures and cuts it into areas of a few classes
 * (search/weave_bits_rules.h): both public. In all areas at once a tree grows on their records, and
 * a second one on what it ejects, if that may be a class; what is left joins the area's costliest
 * class. Then all parties learn, for every area, one bit: does the new form cost less in all? If so
 * it takes the place of the old one.
 *
 * Leaks, beyond what tree_joint.h says: the same kinds of answers about sets that are not nested in
 * those before, so that more can be deduced from them together; closures of forms that are then
 * refused; "new forms cost less" (aggregate): a bit per area and round; with diversity by frequency
 * "classes stay good with the leftovers" (aggregate): one more bit per area and round. */
#ifndef PROTOCOL_JOINT_TREE_JOINT_TREE_REWEAVE_H
#define PROTOCOL_JOINT_TREE_JOINT_TREE_REWEAVE_H

#include "protocol/joint_tree/joint_tree_grow.h"

/* One round, on classes whose closures are final so far. */
kith_status joint_tree_reweave(joint_tree *f, uint32_t round, kith_error *error) KITH_MUST_USE;

#endif
