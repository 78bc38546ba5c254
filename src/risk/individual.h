/* The risk of every record of a sample with weights, after Benedetti and Franconi (1998; with
 * Polettini, Individual risk estimation in mu-Argus, 2004).
 *
 * A class of f records whose weights add up to F stands for about F people, and p = f / F. Given f,
 * the number of people is taken to be negative binomial, and the risk of a record is the expected
 * value of 1 / people: the chance to pick the right one. */
#ifndef RISK_INDIVIDUAL_H
#define RISK_INDIVIDUAL_H

#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"
#include "core/run/ranks.h"

/* f >= 1; 0 < p <= 1. A p above 1 (weights below 1) counts as 1. */
double individual_risk(uint32_t f, double p);

typedef struct individual_report {
    double highest, mean; /* over all records, the ones in no class at 0 */
    double expected;      /* records that an attacker who tries all would find */
    uint64_t n_above;     /* records whose risk is above the threshold */
} individual_report;

typedef struct individual_task {
    uint32_t n_records, n_classes;
    const uint32_t *class_of;  /* [n_records] */
    const uint32_t *sizes;     /* [n_classes] */
    uint32_t left_out;         /* records of this class are in none */
    const uint32_t *weight_of; /* [n_records] the place of a record's weight in `weights` */
    const double *weights;     /* NULL: all are `weight` */
    double weight, threshold;
    kith_ranks *ranks; /* have other classes, each complete on one of them; NULL: there are none */
} individual_task;

/* On all ranks. */
kith_status individual_assess(individual_report *report, const individual_task *task, arena *memory,
                              kith_error *error) KITH_MUST_USE;

#endif
