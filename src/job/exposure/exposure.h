/* What the master of the encrypted view may infer from how often values occur.
 *
 * Encryption keeps equal cells equal, so the master sees the frequencies in every column, and can
 * compare them with those in the population. A value counts as exposed if its count differs from
 * those of all others by more than chance explains (three standard deviations of the difference of
 * two counts). `pregeneralize` merges values, and with them their counts. */
#ifndef JOB_EXPOSURE_EXPOSURE_H
#define JOB_EXPOSURE_EXPOSURE_H

#include "core/document.h"
#include "job/prepare/prepare.h"

typedef struct exposure {
    uint32_t n_values;  /* different values in the view */
    uint32_t exposed;   /* exposed ones of these */
    uint64_t n_records; /* records with an exposed value */
} exposure;

/* `count[n]`: how often each value occurs; sorted in place. */
exposure exposure_of(uint64_t *count, size_t n);

/* Adds "exposed": one object per column that the view would have, at its pregeneralized level. */
kith_status exposure_put(kith_document *d, document_node *root, const prepared *p, context *c,
                         kith_error *error);

#endif
