/* The risk of every record of a sample with weights, after Benedetti and Franconi (1998; with
 * Polettini, Individual risk estimation in mu-Argus, 2004).
 *
 * A class of f records whose weights add up to F stands for about F people, and p = f / F. Given f,
 * the number of people is taken to be negative binomial, and the risk of a record is the expected
 * value of 1 / people: the chance to pick the right one. */
#ifndef RISK_INDIVIDUAL_H
#define RISK_INDIVIDUAL_H

#include <stdint.h>

/* f >= 1; 0 < p <= 1. A p above 1 (weights below 1) counts as 1. */
double individual_risk(uint32_t f, double p);

typedef struct individual_report {
    double highest, mean; /* over all records, the ones in no class at 0 */
    double expected;      /* records that somebody who tries all would find */
    uint32_t n_above;     /* records whose risk is above the threshold */
} individual_report;

/* class_of[record], sizes[class]; weights[record] or NULL: all are `weight`. Records of the class
 * `left_out` are in no class. `sums`, of n_classes numbers, is scratch. */
void individual_assess(individual_report *report, const uint32_t *class_of, const uint32_t *sizes,
                       uint32_t n_records, uint32_t n_classes, uint32_t left_out,
                       const double *weights, double weight, double threshold, double *sums);

#endif
