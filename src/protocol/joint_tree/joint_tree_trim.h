/* Diversity by frequency: records of over-frequent values leave the leaves of a tree, or do not get
 * in (smc/compare/trim.h). Neither what a class may have of a value nor which leaves changed is opened; a
 * site learns how many of its own records of each value stay, and draws which.
 *
 * Several sensitive attributes take turns, JOINT_TREE_TURNS each, on what the others have left. A
 * record that leaves for one attribute may make a value of another one too frequent, so classes
 * must be asked about afterwards. */
#ifndef PROTOCOL_JOINT_TREE_JOINT_TREE_TRIM_H
#define PROTOCOL_JOINT_TREE_JOINT_TREE_TRIM_H

#include "protocol/joint_tree/joint_tree_internal.h"

/* Sets to be trimmed. Names are public. Rows are in the order of persons, where these count. */
typedef struct joint_tree_trim_sets {
    uint32_t count;
    const uint64_t *names; /* [count] */
    const uint32_t *fixed; /* [count * width] tallies of own records that stay; NULL: none */
    /* This party's other rows, and the set of each of them */
    uint32_t n_rows;
    const uint32_t *rows, *set_of; /* [n_rows] */
} joint_tree_trim_sets;

/* stays [n_rows]: JOINT_TREE_STAYS, or the number in r->frequencies of the attribute for which the
 * row must leave. A call of trim for each attribute. */
#define JOINT_TREE_STAYS UINT32_MAX
kith_status joint_tree_trim(const joint_tree *j, uint32_t *stays, const joint_tree_trim_sets *sets,
                            kith_error *error) KITH_MUST_USE;

/* Trims the leaves from `first` on: rows that leave go to the pool. Where other models look at
 * sites or values, and where persons count, all parties learn for every leaf whether it still keeps
 * them; if not, it is given up. Without diversity by frequency that is all. */
kith_status joint_tree_trim_leaves(joint_tree *j, uint32_t first, kith_error *error) KITH_MUST_USE;

/* The value of a row in r->frequencies[i], as a place in a tally. */
static inline uint32_t joint_tree_trim_place(const joint_tree *j, uint32_t i, uint32_t row)
{
    const joint_tree_condition *f = j->rules->frequencies[i];
    return f->offset + j->problem->sensitive[f->model->sensitive].values[row];
}

#endif
