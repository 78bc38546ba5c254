/* What a release shows that does not fit into memory: the same figures as for one in memory. */
#ifndef JOB_STORE_STORE_ASSESS_H
#define JOB_STORE_STORE_ASSESS_H

#include "job/parts/parts.h"
#include "job/store/store.h"

typedef struct store_assess {
    store *store;
    const kith_study *study;
    const prepare_whole *whole;
    context *context;
    parts *parts;
} store_assess;

/* Before the search. `values` comes from store_values.h, and lives as long as the assessment. */
kith_status store_assess_init(store_assess *a, store *s, const prepared *values, context *c,
                              kith_error *error) KITH_MUST_USE;

/* The records of a piece, which has all records that are equal to one of them. */
kith_status store_assess_originals(store_assess *a, const prepared *piece, arena *memory,
                                   kith_error *error) KITH_MUST_USE;

/* Reads the release back, part by part. One that breaks a model or does not cover the data is
 * KITH_BUG. */
kith_status store_assess_release(assessment *found, store_assess *a,
                                 kith_error *error) KITH_MUST_USE;

#endif
