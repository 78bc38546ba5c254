/* How strongly two columns depend on each other, by Cramér's V. */
#ifndef MEASURE_ASSOCIATION_H
#define MEASURE_ASSOCIATION_H

#include <stdbool.h>
#include <stdint.h>

enum { ASSOCIATION_BINS = 6 };

/* How often the bins of two columns occur together; from a release these are expectations. */
typedef struct contingency {
    double counts[ASSOCIATION_BINS][ASSOCIATION_BINS];
} contingency;

/* V with Bergsma's correction ("A bias-correction for Cramér's V and Tschuprow's T", 2013), 0 to 1:
 * without it, columns that are independent would seem associated in small tables. 0 if a column has
 * a single bin that occurs. */
double association_v(const contingency *table);

/* Which bin each value of a column belongs to, so that tables stay small and full: numbers and
 * dates in five bins of about equal numbers of records; other values the four most frequent ones
 * alone and the rest together. Where there is a missing value, the last one, it has bin 5.
 * counts[n_values] are records with each value in its order; bins[n_values] is filled. */
void association_bins(uint8_t *bins, const uint64_t *counts, uint32_t n_values, bool ordered,
                      bool missing_last);

#endif
