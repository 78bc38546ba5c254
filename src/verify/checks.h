/* The checks of the models, one class at a time. Written from the definitions alone: nothing here
 * is shared with the conditions that guide a search. */
#ifndef VERIFY_CHECKS_H
#define VERIFY_CHECKS_H

#include "verify/verify.h"

/* One class: its rows, and its sensitive values with how often they occur, ascending. Where models
 * count persons, size and counts are theirs, and one with several values counts for each. */
typedef struct check_class {
    uint32_t size;
    uint32_t n_rows;
    const uint32_t *row; /* [n_rows] */
    uint32_t distinct;
    const uint32_t *value; /* [distinct] */
    const uint32_t *count; /* [distinct] */
    bool certain;          /* a value is certain of a person who may have several rows */
} check_class;

/* What a check says of a class. */
typedef struct check_answer {
    bool holds;
    double value; /* in the model's own unit */
} check_answer;

typedef check_answer check_function(const verify_model *model, const check_class *c,
                                    uint64_t n_all_rows);

check_function check_frequency, check_distinct, check_entropy, check_recursive;
check_function check_share, check_presence, check_disclosure, check_likeness;
check_function check_closeness, check_dissimilarity, check_invariance;

check_function check_confidence; /* lkc */

#endif
