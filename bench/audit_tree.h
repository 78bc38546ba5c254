/* What can a participant deduce from the bits of a joint tree about sets of fewer than k records?
 *
 * The audit keeps, for every set that was asked about, an interval in which its size must lie, and
 * narrows all intervals until nothing changes any more, by what the transcript says:
 *   - an answer "yes" means at least k, "no" means fewer;
 *   - a set is the sum of the values of a slot and of the records that have none of them;
 *   - so is the rest of its values that are not live; a rest can only shrink on the way down;
 *   - the parts of one value of a slot, in different children of a set, do not exceed it;
 *   - the sizes of leaves are known, of the one that took in leftovers up to k - 1.
 * It assumes that nobody has a cell above the leaves, as an attacker would who knows the tables. It
 * is sound (what it finds can be deduced), not complete: a linear program may find more. */
#ifndef BENCH_AUDIT_TREE_H
#define BENCH_AUDIT_TREE_H

#include "core/arena.h"
#include "protocol/joint_tree/joint_tree.h"

typedef struct audit_tree audit_tree;

audit_tree *audit_tree_new(arena *memory, uint32_t k); /* NULL if out of memory */
/* A joint_tree_recorder's callback; `user` is the audit. */
void audit_tree_opened(void *user, joint_tree_event event, uint64_t set, uint64_t of, uint32_t axis,
                       uint32_t node, uint32_t min_size, bool bit);

typedef struct audit_finding {
    size_t n_sets;  /* asked about */
    size_t small;   /* of fewer than k records, as their own bits say */
    size_t present; /* of these: at least one record can be deduced */
    size_t exact;   /* of these: the size can be deduced, and is not 0 */
    size_t empty;   /* of these: it can be deduced that there is none */
    size_t bounded; /* of these: fewer than k - 1 can be deduced */
    size_t wrong;   /* intervals that became empty: must be 0 */
} audit_finding;

/* `size` [leaves] are the final sizes; NULL: not used. May be called again with more. */
audit_finding audit_tree_deduce(audit_tree *a, const uint64_t *size);
void audit_tree_print(const audit_finding *found, uint32_t k, const char *source);

#endif
