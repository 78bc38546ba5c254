/* What sites that see the parts of all sets know of every record more finely than the release of a
 * joint tree of columns: an upper bound, since they are given the attribute of every split and the
 * values of its branches, too. */
#ifndef REFERENCE_COLUMN_TREE_PLAIN_AUDIT_H
#define REFERENCE_COLUMN_TREE_PLAIN_AUDIT_H

#include "protocol/column_tree/column_tree.h"
#include "search/partition.h"

typedef struct column_tree_plain_audit {
    const problem *p;
    uint32_t *known; /* [n_records * n_attributes] the lowest branch, or the root */
} column_tree_plain_audit;

typedef struct column_tree_plain_audit_figures {
    uint32_t
        n_finer;    /* records of which some cell is known more finely than their class shows it */
    double cells;   /* how many cells of these, on average */
    double loss;    /* average cost of a cell as it is known */
    uint32_t n_few; /* of these records: fewer than k fit all that is known of them */
    uint32_t n_alone; /* only one fits */
} column_tree_plain_audit_figures;

kith_status column_tree_plain_audit_begin(column_tree_plain_audit *a, const problem *p,
                                          arena *memory, kith_error *error);
/* For column_tree_recorder; user is the audit. Parties may call it at the same time: only the owner
 * of an attribute tells of it. */
void column_tree_plain_audit_split(void *user, const column_tree_split *what);
column_tree_plain_audit_figures column_tree_plain_audit_end(column_tree_plain_audit *a,
                                                            const partition *release);

#endif
