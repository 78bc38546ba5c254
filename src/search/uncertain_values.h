/* Where units may have several records, distinct l-diversity and p-sensitive ask that no value be
 * certain of a unit. To know that in general takes the pairs of units and values of a class. In
 * most classes the number of records with each value tells it, and in large ones a look at some
 * records does. */
#ifndef SEARCH_UNCERTAIN_VALUES_H
#define SEARCH_UNCERTAIN_VALUES_H

#include "search/problem.h"

typedef struct uncertain_values {
    const problem *problem;
    uint32_t sensitive;   /* the attribute that models look at */
    double n_values;      /* different ones that they ask for */
    uint32_t max_records; /* most of one unit, in the problem */
    uint64_t *values_of;  /* [n_units] values that each has in the problem, as bits */
    uint32_t *records;    /* [n_units] scratch: all zero between calls */
} uncertain_values;

/* *u is NULL unless all models are of this kind, for one attribute, or k-anonymity. */
kith_status uncertain_values_init(uncertain_values **u, const problem *p, arena *memory,
                                  kith_error *error) KITH_MUST_USE;

/* True: all models hold for these records of the problem, if they have units enough. False: not
 * known. */
bool uncertain_values_sure(const uncertain_values *u, const uint32_t *members, uint32_t size);

#endif
