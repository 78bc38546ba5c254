/* Mean, standard deviation and quantiles of weighted numbers. */
#ifndef MEASURE_STATISTICS_H
#define MEASURE_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

/* A number that `count` records have. */
typedef struct counted_number {
    double number;
    uint64_t count;
} counted_number;

enum { STATISTICS_QUANTILES = 5 };
/* 5%, 25%, 50% (the median), 75%, 95%. */
extern const double statistics_shares[STATISTICS_QUANTILES];

/* Without a record all are NaN, and so is the deviation of a single one. */
typedef struct statistics {
    uint64_t n_records;
    double mean, deviation;                 /* the latter with n - 1 */
    double quantiles[STATISTICS_QUANTILES]; /* the smallest number that a share does not exceed */
} statistics;

/* Sorts `numbers`. */
void statistics_make(statistics *s, counted_number *numbers, size_t count);

#endif
