/* Votes of all parties about nodes of hierarchies, joined by one secure AND: which nodes cover the
 * records of all parties? */
#ifndef PROTOCOL_JOINT_TREE_JOINT_TREE_VOTES_H
#define PROTOCOL_JOINT_TREE_JOINT_TREE_VOTES_H

#include "hierarchy/tree.h"
#include "smc/smc.h"

/* Votes are added one by one, joined, and then read in the same order. Start with only `memory`
 * set. Invariants: n_read <= count <= room; bits behind `count` are zero. */
typedef struct joint_tree_votes {
    arena *memory;
    uint64_t *bits; /* packed: mine, then those of all parties */
    size_t count, room;
    size_t n_read;
} joint_tree_votes;

kith_status joint_tree_votes_add(joint_tree_votes *v, bool yes, kith_error *error) KITH_MUST_USE;
/* One call, or none if there are no votes. All parties learn the result; the caller makes the entry
 * in the ledger. */
kith_status joint_tree_votes_join(joint_tree_votes *v, party *p, kith_error *error) KITH_MUST_USE;
/* The next joined vote. */
bool joint_tree_votes_next(joint_tree_votes *v);

/* Raising a closure until it covers records of all parties. The question: a vote about each node
 * from the closure up to the root, exclusively, whether it covers `mine`. */
kith_status joint_tree_votes_ask_raised(joint_tree_votes *v, const tree *t, uint32_t closure,
                                        uint32_t mine, kith_error *error) KITH_MUST_USE;
/* The answer: the lowest of these nodes that covers those of all parties, or the root. */
uint32_t joint_tree_votes_raised(joint_tree_votes *v, const tree *t, uint32_t closure);

#endif
