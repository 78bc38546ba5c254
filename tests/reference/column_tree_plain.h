/* The joint tree of columns (protocol/column_tree/column_tree.h) grown in one place, on lists of
 * records: what the joint run must equal. The rules are those of column_tree_score.h. */
#ifndef REFERENCE_COLUMN_TREE_PLAIN_H
#define REFERENCE_COLUMN_TREE_PLAIN_H

#include "core/run/context.h"
#include "search/partition.h"

typedef struct column_tree_plain_sites {
    const uint32_t *holder; /* [n_attributes] the site that has an attribute */
    double unit;            /* of scores */
    bool name;              /* other sites name records that should be lent */
    uint64_t seed;          /* of the coins that break ties between records */
} column_tree_plain_sites;

/* Classes are in the order in which sets stop growing. A closure covers its class; it is above the
 * lowest common ancestor where all records of a class were lent by one branch. KITH_INFEASIBLE if
 * all records together do not meet the models. */
kith_status column_tree_plain(partition *result, const problem *p,
                              const column_tree_plain_sites *sites, arena *memory,
                              kith_error *error) KITH_MUST_USE;

#endif
