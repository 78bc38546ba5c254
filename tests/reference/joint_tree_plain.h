/* The joint tree (protocol/joint_tree/joint_tree.h) grown in one place, on lists of records and
 * counts: what the joint run must equal. The rules are those of joint_tree_score.h. */
#ifndef REFERENCE_JOINT_TREE_PLAIN_H
#define REFERENCE_JOINT_TREE_PLAIN_H

#include "core/run/context.h"
#include "search/partition.h"

/* Which site holds which records of the union; models about sites need it. */
typedef struct joint_tree_plain_sites {
    uint32_t count;
    const uint32_t *site_of; /* [n_records] below `count` */
    uint32_t n_models;
    const model_spec *models; /* [n_models] l-site-diversity, m-privacy */
    bool quiet;               /* as the option of that name: values lend nothing */
} joint_tree_plain_sites;

/* `sites` may be NULL. Public coins and the sites' private
 * choices come from `coins`. Classes are in the order of the
 * leaves. A closure covers its class; it is the lowest common ancestor wherever that is cheaper.
 * KITH_INFEASIBLE if all records together may not be a class. Cost: records x attributes for every
 * level of the tree. */
kith_status joint_tree_plain(partition *result, const problem *p,
                             const joint_tree_plain_sites *sites, uint64_t coins, uint32_t reweave,
                             arena *memory, kith_error *error) KITH_MUST_USE;

#endif
