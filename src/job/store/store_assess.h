/* What a release shows that does not fit into memory: the same figures as for one in memory. */
#ifndef JOB_STORE_STORE_ASSESS_H
#define JOB_STORE_STORE_ASSESS_H

#include "job/assess/assess.h"
#include "job/store/store.h"

/* Begin with store, values (store_values.h) and context. */
typedef struct store_assess {
    store *store;
    const prepared *values; /* of the whole table */
    context *context;
    risk before; /* of the records that have been seen */
    assess_task task;
    assess_whole shown;
    assess_sums sums;
} store_assess;

/* The records of a piece, which has all records that are equal to one of them. `c` has memory that
 * is given back. */
kith_status store_assess_originals(store_assess *a, const prepared *piece, context *c,
                                   kith_error *error) KITH_MUST_USE;

/* Reads the release back, part by part, when all records have been seen. One that breaks a model or
 * does not cover the data is KITH_BUG. */
kith_status store_assess_release(assessment *found, store_assess *a,
                                 kith_error *error) KITH_MUST_USE;

#endif
