/* What can be deduced from the bits of a joint tree about sets of fewer than k records, by somebody
 * without records or by a participant, who takes its own off every set?
 *
 * The audit keeps, for every set that was asked about, an interval in which the number of foreign
 * records must lie, and narrows all intervals until nothing changes any more, by what the
 * transcript says. The attacker has c records in a set, and m-privacy asks for f of the others:
 *   - an answer "yes" means at least max(k - c, f), "no" means fewer if c >= f; if not, some other
 *     participant may have too many, and nothing follows;
 *   - a set is the sum of the values of a slot and of the records that have none of them;
 *   - so is the rest of its values that are not live; a rest can only shrink on the way down;
 *   - the parts of one value of a slot, in different children of a set, do not exceed it;
 *   - the sizes of leaves are known, of the one that took in leftovers up to their number.
 * It assumes that nobody has a cell above the leaves, as an attacker would who knows the tables. It
 * is sound (what it finds can be deduced), not complete: a linear program may find more. */
#ifndef BENCH_AUDIT_TREE_H
#define BENCH_AUDIT_TREE_H

#include "core/arena.h"
#include "protocol/joint_tree/joint_tree.h"

typedef struct audit_tree audit_tree;

/* `own`: the records of the party that is told; NULL: somebody without records. `min_others`: of
 * m-privacy, or 0. NULL if out of memory. */
audit_tree *audit_tree_new(arena *memory, uint32_t k, const problem *own, uint32_t min_others);
/* A joint_tree_recorder's callback; `user` is the audit. */
void audit_tree_opened(void *user, const joint_tree_opened *what);

typedef struct audit_finding {
    size_t n_sets;  /* asked about */
    size_t small;   /* of fewer than k foreign records, as their own bits say */
    size_t present; /* of these: at least one record can be deduced */
    size_t exact;   /* of these: the size can be deduced, and is not 0 */
    size_t empty;   /* of these: it can be deduced that there is none */
    size_t bounded; /* of these: fewer than k - 1 can be deduced */
    size_t wrong;   /* intervals that became empty: must be 0 */
    /* Of all sets and classes, those of 1 … k - 1 foreign records: */
    size_t known, known_not_class; /* their number can be deduced; no class of the release */
    size_t one, one_not_class;     /* of these: it is 1 */
    size_t some;                   /* that there are some, and fewer than k, can be deduced */
    size_t alone;                  /* own records in sets that provably have none of anybody else */
} audit_finding;

/* `size` [leaves] are the final sizes; NULL: not used. May be called again with more. */
audit_finding audit_tree_deduce(audit_tree *a, const uint64_t *size);
void audit_tree_print(const audit_finding *found, uint32_t k, const char *source);
/* What a participant finds about the others. */
void audit_tree_print_foreign(const audit_finding *found, uint32_t k);

#endif
