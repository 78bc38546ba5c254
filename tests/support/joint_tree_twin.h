/* The joint tree of rows (protocol/joint_tree/joint_tree.h) beside the same tree in one place
 * (reference/joint_tree_plain.h), and beside the definitions of the models. */
#ifndef SUPPORT_JOINT_TREE_TWIN_H
#define SUPPORT_JOINT_TREE_TWIN_H

#include "reference/joint_tree_plain.h"
#include "support/joint.h"

/* Size, models, sites and closure of a class, counted anew from the records. */
void joint_tree_twin_check(const problem *p, const partition *r,
                           const joint_tree_plain_sites *sites, uint32_t class);

/* Runs j->protocol at m parties; if the models cannot be met, all of them must say so. */
kith_status joint_tree_twin_run(joint_job *j, uint32_t m);

/* Runs both, compares them class by class and looks at the models; returns the number of classes,
 * 0 if the models cannot be met. */
uint32_t joint_tree_twin_equal(const problem *p, const uint32_t *site, uint32_t m,
                               const protocol_options *options, arena *memory);

#endif
