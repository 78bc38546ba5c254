/* Diversity by frequency as a part of the question "could some of these records be a class?"
 * (joint_tree_fit.h), for one sensitive attribute.
 *
 * With T0 = ceil(k / l) and C_s records of value s, k or more of the n records are diverse if, and
 * only if, sum_s min(C_s, T0) >= l T0 or sum_s min(C_s, T0 - 1) >= k. Where l T0 = k the second
 * implies the first; else its sum is the first one less the number of values with C_s >= T0. No
 * party tells of more than F = ceil(l T0) records, at most T0 of each value: with so many the first sum
 * reaches l T0 by these alone; with fewer the party tells of all. So the m parties' sums
 * are at most m F.
 * From JOINT_TREE_LEAN_FROM on the diverse part must also be a fair part of the set, with L =
 * ceil(l) and P = JOINT_TREE_LEAN_PART x L: sum_s min(P C_s, n) >= L n. With S values and e_s =
 * P C_s - n that is sum_s min(e_s, 0) + (S - L) n >= 0: each party puts in its part of e_s and of
 * the last term, so that signs of sums are all that must be found, in few layers.
 * Several attributes are asked for one by one: if a part of the records is diverse in all of them,
 * there is such a part for each; the reverse need not be true. */
#ifndef PROTOCOL_JOINT_RULES_JOINT_TREE_FIT_FREQUENCY_H
#define PROTOCOL_JOINT_RULES_JOINT_TREE_FIT_FREQUENCY_H

#include "protocol/joint_rules/joint_tree_fit.h"

/* Bits by which a party tells of a set for r->frequencies[i]: of every value its count, cut as above,
 * and if the set must be lean its part of e_s; then its part of the last term. */
uint32_t joint_tree_fit_frequency_bits(const joint_tree_rules *r, uint32_t i);
/* Writes them from bit `first` on; they are zero before. */
void joint_tree_fit_frequency_write(const joint_tree_rules *r, uint32_t i, uint64_t *bits,
                                    size_t first, const uint32_t *tally);
/* Is enough of the set diverse? CIRCUIT_ONE if another condition on the attribute is stricter. */
kith_status joint_tree_fit_frequency_ask(const joint_tree_fit *f, circuit_wire *fits,
                                         const joint_tree_fit_set *set,
                                         const joint_tree_condition *c,
                                         kith_error *error) KITH_MUST_USE;

#endif
