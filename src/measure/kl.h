/* Kullback-Leibler divergence from the original records to a release. */
#ifndef MEASURE_KL_H
#define MEASURE_KL_H

#include "core/run/threads.h"
#include "measure/kl_rows.h"
#include "measure/loss.h"

typedef struct kl_input {
    uint32_t n_attributes;
    const tree *const *trees; /* [n_attributes] */
    kl_rows records;          /* before anonymization; on several ranks equal ones are on one */
    kl_rows boxes;            /* what classes show, of all ranks together */
    kith_ranks *ranks;        /* NULL: there are no others */
    threads *pool;            /* NULL: one thread */
} kl_input;

/* In bits; on all ranks. Every record is covered by a box. Every rank has the distinct boxes of all
 * ranks in its memory. Cost: for every beginning of a record the beginnings of boxes that cover it.
 */
kith_status kl_measure(double *kl, const kl_input *in, arena *memory,
                       kith_error *error) KITH_MUST_USE;

/* What the classes of a release show, with their numbers of records; suppressed ones stand at the
 * root of every attribute. */
kith_status kl_boxes(kl_rows *boxes, const loss_input *in, arena *memory,
                     kith_error *error) KITH_MUST_USE;

#endif
