/* Naming the codes of an encrypted view.
 *
 * Encryption keeps equal cells equal, so the holder of the view sees which codes occur together,
 * and the hierarchies above them. One who has other records of the same population, in clear, looks
 * for the names under which the view resembles these most. Two ways:
 *
 * - by frequency: the most frequent code gets the most frequent name, and so on;
 * - by co-occurrence: a code is compared with a name by how often it occurs and by what stands
 *   beside it in the other columns, as far as these are named already (the likelihood of its
 *   neighbours among the name's, with five more records that are like all others; columns count by
 *   the share of their mutual information that is not chance). All codes of a
 *   column are named at once, by an assignment of the largest total likelihood. Columns with few
 *   codes come first; then two rounds over all columns correct each other. Levels of hierarchies
 *   are columns like others, in which a code's ancestors must have the name's ancestors as names,
 *   and where a hierarchy is public as many leaves.
 *
 * Only the GUESS_MAX most frequent codes and names of a column are compared; the others keep what
 * their frequency says. */
#ifndef JOB_EXPOSURE_GUESS_H
#define JOB_EXPOSURE_GUESS_H

#include <stdint.h>

#include "core/run/context.h"

enum { GUESS_MAX = 1000 };

/* A level of a column, in the view and in the records that the attacker knows. Labels are numbers
 * that both share; of the view's the attacker uses only which are equal. */
typedef struct guess_column {
    uint32_t column; /* levels of one column have the same number here */
    uint32_t level;
    uint32_t n_labels;
    const uint32_t *view;   /* [n_view] */
    const uint32_t *known;  /* [n_known] */
    const uint32_t *leaves; /* [n_labels] leaves of a public hierarchy below it; NULL: not public */
} guess_column;

typedef struct guess_tables {
    uint32_t n_view, n_known;
    uint32_t n_columns;
    const guess_column *columns; /* levels of a column ascend */
} guess_tables;

/* share[n_columns]: which part of the view's cells is named rightly. Equal frequencies are ordered
 * at random, from the context's seed. */
kith_status guess_by_frequency(double *share, const guess_tables *t, context *c,
                               kith_error *error) KITH_MUST_USE;
kith_status guess_by_cooccurrence(double *share, const guess_tables *t, context *c,
                                  kith_error *error) KITH_MUST_USE;

#endif
