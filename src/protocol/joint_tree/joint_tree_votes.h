/* Votes of all parties about nodes, joined by one AND. */
#ifndef PROTOCOL_JOINT_TREE_JOINT_TREE_VOTES_H
#define PROTOCOL_JOINT_TREE_JOINT_TREE_VOTES_H

#include "hierarchy/tree.h"
#include "smc/smc.h"

/* Start with only `memory` set. */
typedef struct joint_tree_votes {
    arena *memory;
    uint64_t *bits; /* packed: mine, then everyone's */
    size_t count, room;
} joint_tree_votes;

kith_status joint_tree_votes_add(joint_tree_votes *v, bool yes, kith_error *error) KITH_MUST_USE;
/* One call; all parties learn the result. The caller says what it is. Nothing if there are none. */
kith_status joint_tree_votes_join(joint_tree_votes *v, party *p, kith_error *error) KITH_MUST_USE;

/* Raising a closure, first without `read`: votes about all nodes from it upwards, whether they
 * cover `mine`; then, in the same order, with it: takes the lowest that all parties' do. */
kith_status joint_tree_votes_raise(joint_tree_votes *v, size_t *read, const tree *t,
                                   uint32_t *closure, uint32_t mine,
                                   kith_error *error) KITH_MUST_USE;

#endif
