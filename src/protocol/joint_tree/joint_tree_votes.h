/* Votes of all parties about nodes, joined by one AND. */
#ifndef PROTOCOL_JOINT_TREE_JOINT_TREE_VOTES_H
#define PROTOCOL_JOINT_TREE_JOINT_TREE_VOTES_H

#include "hierarchy/tree.h"
#include "smc/smc.h"

/* Start with only `memory` set. */
typedef struct tree_votes {
    arena *memory;
    uint64_t *bit; /* packed: mine, then everyone's */
    size_t count, room;
} tree_votes;

kith_status tree_votes_add(tree_votes *v, bool yes, kith_error *error) KITH_MUST_USE;
/* One call; all parties learn the result. The caller says what it is. Nothing if there are none. */
kith_status tree_votes_join(tree_votes *v, party *p, kith_error *error) KITH_MUST_USE;

/* Raising a closure, first without `read`: votes about all nodes from it upwards, whether they
 * cover `mine`; then, in the same order, with it: takes the lowest that all parties' do. */
kith_status tree_votes_raise(tree_votes *v, size_t *read, const tree *t, uint32_t *closure,
                             uint32_t mine, kith_error *error) KITH_MUST_USE;

#endif
