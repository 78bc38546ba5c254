/* What the values of a column are like: their range, quantiles and mean, and the frequent ones. */
#ifndef JOB_PROFILE_VALUE_STATISTICS_H
#define JOB_PROFILE_VALUE_STATISTICS_H

#include "core/document.h"
#include "job/profile/profile.h"

/* Adds to the object of a column:
 *   numbers and dates, also those among a few other texts: minimum, q05, q25, median, q75, q95,
 *     maximum (numbers; dates as texts), of numbers also the mean; a quantile is a value that
 * occurs, the lowest with at least that share at or below it; "frequent": the ten values that occur
 * most often, at least twice, with count and share; "spoiled": which texts keep the column from
 * being of a type, and how many cells have them. */
kith_status value_statistics_put(kith_document *d, document_node *node, const column_profile *p,
                                 const uint64_t *counts, arena *memory, kith_error *error);

#endif
