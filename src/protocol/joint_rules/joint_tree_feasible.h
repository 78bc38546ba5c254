/* The first question of a run over rows, before any other: could all records together be a class?
 *
 * It looks at the numbers of records, or of persons, alone: at least k of all parties, and as many
 * sites and as many records of others as the models about sites ask for. So it can be asked before the parties
 * know each other's values, and a run that cannot succeed tells this one bit and nothing else.
 * Whether sensitive values are diverse enough is asked later, when they have common numbers.
 *
 * Leaks:  "all records are enough" (aggregate): 1 bit.
 * Cost:   that of one question of the joint tree (joint_tree.h); if the answer is no, farewell.word
 *         (control), exchanged. */
#ifndef PROTOCOL_JOINT_RULES_JOINT_TREE_FEASIBLE_H
#define PROTOCOL_JOINT_RULES_JOINT_TREE_FEASIBLE_H

#include "protocol/rows.h"

/* Of this party's problem: how many records it has, k, and the persons, if these count.
 * KITH_INFEASIBLE, at all parties, if the answer is no. */
kith_status joint_tree_feasible(party *p, const problem *mine, const protocol_options *o,
                                context *c, kith_error *error) KITH_MUST_USE;

#endif
