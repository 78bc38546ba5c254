/* Diversity by frequency: records of over-frequent values leave the leaves of a tree, or do not get
 * in (smc/trim.h). Neither what a class may have of a value nor which leaves changed is opened; a
 * site learns how many of its own records of each value stay, and draws which. */
#ifndef PROTOCOL_JOINT_TREE_JOINT_TREE_TRIM_H
#define PROTOCOL_JOINT_TREE_JOINT_TREE_TRIM_H

#include "protocol/joint_tree/joint_tree_internal.h"

/* Sets to be trimmed. Names are public. */
typedef struct joint_tree_trim_sets {
    uint32_t count;
    const uint64_t *names; /* [count] */
    const uint32_t *fixed; /* [count * n_values] this party's records that stay; NULL: none */
    /* This party's other rows, and the set of each of them */
    uint32_t n_rows;
    const uint32_t *rows, *set_of; /* [n_rows] */
} joint_tree_trim_sets;

/* stays [n_rows]: may the row stay? One call of trim. */
kith_status joint_tree_trim(const joint_tree *j, uint8_t *stays, const joint_tree_trim_sets *sets,
                            kith_error *error) KITH_MUST_USE;

/* Trims the leaves from `first` on: rows that leave go to the pool. Where other models look at
 * sites or values, all parties learn for every leaf whether it still keeps them; if not, it is
 * given up.
 */
kith_status joint_tree_trim_leaves(joint_tree *j, uint32_t first, kith_error *error) KITH_MUST_USE;

/* The value of a row that trimming looks at, and the number of values. */
static inline uint32_t joint_tree_trim_value(const joint_tree *j, uint32_t row)
{
    return j->problem->sensitive[j->rules->frequency->model->sensitive].values[row];
}
static inline uint32_t joint_tree_trim_values(const joint_tree *j)
{
    return j->rules->frequency->n_values;
}

#endif
