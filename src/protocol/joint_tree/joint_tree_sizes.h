/* The last step of the joint tree: the sizes of the classes.
 *
 * Every class keeps the models if all parties have followed the protocol. A party that has not may
 * have made sets of one record pass for classes; opened sizes would show all parties what it did.
 * So the first two parties ask once more whether every class keeps the models, each in a call whose
 * answers it receives itself, and say yes or no to all. Sizes are opened only after two times yes:
 * they are a sum to which every party must contribute, and no honest party does otherwise. A party
 * that claims records which it does not have is not noticed: no comparison can see that. */
#ifndef PROTOCOL_JOINT_TREE_JOINT_TREE_SIZES_H
#define PROTOCOL_JOINT_TREE_JOINT_TREE_SIZES_H

#include "protocol/joint_tree/joint_tree_internal.h"

/* size [n_leaves] gets the records of all parties in every leaf. KITH_PEER, before anything is
 * opened, if one of the first two parties finds that a leaf breaks the models. */
kith_status joint_tree_sizes(const joint_tree *j, uint64_t *size, kith_error *error) KITH_MUST_USE;

#endif
