/* The means of classes that a release shows in microaggregated columns. */
#ifndef JOB_RESULT_CLASS_MEANS_H
#define JOB_RESULT_CLASS_MEANS_H

#include "job/prepare/prepare.h"
#include "release/release.h"
#include "table/mean_form.h"

/* For each class of the result the mean of its members' values in this column, written as
 * table/mean_form.h says. NULL for a class with a missing value, which shows its label: the mean of
 * the others could be the value of one person, and no number stands for a missing one. */
kith_status class_means_make(const char *const **means, const prepared *p,
                             const prepared_column *col, const search_result *result, context *c,
                             kith_error *error) KITH_MUST_USE;

/* A mean of n values, whole + rest / n units of 10^-decimals, rounded and written. 0 <= rest < n.
 * `mark` 0 is a point. */
void class_means_write(char text[MEAN_FORM_BYTES], int64_t whole, uint64_t rest, uint64_t n,
                       uint32_t decimals, char mark);

#endif
