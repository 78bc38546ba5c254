/* What a set of records must be like to become a part of distributed Mondrian: the rules of the
 * joint tree (joint_tree_rules.h), as sums that are compared with public thresholds.
 *
 * A child of a node may also be empty: (A and B) or empty = (A or empty) and (B or empty), so every
 * block gets the alternative "no record", as often as it asks for good sums. */
#ifndef PROTOCOL_MONDRIAN_MONDRIAN_CONDITIONS_H
#define PROTOCOL_MONDRIAN_MONDRIAN_CONDITIONS_H

#include "protocol/joint_rules/joint_tree_rules.h"

/* Sums of one set: blocks of them, in the order in which mondrian_conditions_fill writes. */
typedef struct mondrian_shape {
    compare_block *blocks;
    size_t n_blocks, n_sums;
} mondrian_shape;

typedef struct mondrian_conditions {
    joint_tree_rules rules;
    mondrian_shape required; /* the set satisfies the models */
    mondrian_shape or_empty; /* or it has no record */
    int64_t *plain;          /* [2 * required.n_sums] scratch */
} mondrian_conditions;

/* KITH_INVALID for models that are not supported, KITH_INFEASIBLE for an l above the number of
 * values or sites. Lives in `memory`; joint_tree_rules_wipe wipes the rules. */
kith_status mondrian_conditions_init(mondrian_conditions *c, const rows_task *task, party *me,
                                     arena *memory, kith_error *error) KITH_MUST_USE;

/* This party's sums of a set and their thresholds: as many as the shape has. */
void mondrian_conditions_fill(const mondrian_conditions *c, bool or_empty, const uint32_t *tally,
                              int64_t *sums, int64_t *thresholds);

/* No sum and no threshold is further from 0. */
int64_t mondrian_conditions_bound(const mondrian_conditions *c);

#endif
