/* What a set of records must be like to become a part of distributed Mondrian, as sums that are
 * compared with public thresholds.
 *
 * Of a set, each party counts its own records: in all, and by value of the sensitive attributes
 * that models look at (a tally). The conditions are blocks of sums (smc/compare.h):
 * - size: at least k records;
 * - l-diversity, frequency: size - l x count >= 0 for every sensitive value;
 * - l-diversity, distinct: at least l of the counts are not zero;
 * - l-site-diversity, sites: at least l parties have a record;
 * - m-privacy: without the records of any one party at least k' are left. It is a part of the size
 *   if k >= 2k' or there are two parties: no party counts more than k - k' of its records;
 * - m-privacy by values: without any one party so many of the counts are not zero.
 * A child of a node may also be empty: (A and B) or empty = (A or empty) and (B or empty), so every
 * block gets the alternative "no record", as often as it asks for good sums. */
#ifndef PROTOCOL_MONDRIAN_MONDRIAN_CONDITIONS_H
#define PROTOCOL_MONDRIAN_MONDRIAN_CONDITIONS_H

#include "protocol/options.h"
#include "search/problem.h"
#include "smc/compare.h"

typedef enum mondrian_kind {
    MONDRIAN_OF_MODEL,     /* or of the size */
    MONDRIAN_OTHERS,       /* m-privacy, if it is not part of the size */
    MONDRIAN_OTHER_VALUES, /* m-privacy: values of all parties but one, `without` */
    MONDRIAN_BOTH_VALUES   /* the same between two parties: each of them has enough */
} mondrian_kind;

typedef struct mondrian_condition {
    mondrian_kind kind;
    const model_spec *model; /* NULL: the size, m-privacy */
    uint32_t n_values;       /* of the sensitive attribute */
    uint32_t offset;         /* of their counts in a tally */
    uint32_t without;        /* m-privacy, values: the party that is left out */
    int64_t scale, times;    /* frequency: scale x size - times x count >= 0 */
} mondrian_condition;

/* Sums of one set: blocks of them, in the order in which mondrian_conditions_fill writes. */
typedef struct mondrian_shape {
    compare_block *blocks;
    size_t n_blocks, n_sums;
} mondrian_shape;

typedef struct mondrian_conditions {
    uint32_t n_parties, self, k;
    uint32_t min_others;      /* m-privacy; 0: not asked for */
    uint32_t other_values;    /* m-privacy: different values without any one party; 0: any */
    int64_t max_own, min_sum; /* the size: so many of its own records a party counts at most, and so
                               * many must be counted */
    uint32_t width;           /* numbers of a tally: the size, then counts by sensitive value */
    uint32_t *offsets; /* [n_sensitive] where the counts of each begin; 0: no model needs them */
    uint32_t n_conditions;
    mondrian_condition *conditions; /* the first is the size */
    mondrian_shape required;        /* the set satisfies the models */
    mondrian_shape or_empty;        /* or it has no record */
    int64_t factor;                 /* sums are at most factor x the number of all records */
} mondrian_conditions;

/* KITH_INVALID for models that are not supported, KITH_INFEASIBLE for an l above the number of
 * values or sites. Lives in `memory`. */
kith_status mondrian_conditions_init(mondrian_conditions *c, const problem *p,
                                     const protocol_options *o, party *me, arena *memory,
                                     kith_error *error) KITH_MUST_USE;

/* Adds a record to a tally of `width` numbers. */
void mondrian_conditions_count(const mondrian_conditions *c, const problem *p, uint32_t *tally,
                               uint32_t row);

/* This party's sums of a set and their thresholds: as many as the shape has. */
void mondrian_conditions_fill(const mondrian_conditions *c, bool or_empty, const uint32_t *tally,
                              int64_t *sums, int64_t *thresholds);

/* No sum and no threshold is further from 0, if all parties have so many records. */
int64_t mondrian_conditions_bound(const mondrian_conditions *c, uint64_t n_records);

#endif
