/* Classes that show the same are one class of the release. Where a union of two good classes may
 * break a model, one process forms others; ranks, each of which has searched some pieces, cannot. */
#ifndef JOB_SLICE_SLICE_UNIONS_H
#define JOB_SLICE_SLICE_UNIONS_H

#include "job/prepare/prepare.h"
#include "search/search.h"

/* Unites such classes: from then on they are known by what they show. *broken: a model does not hold
 * then. All ranks together. */
kith_status slice_unions_break(bool *broken, search_result *result, const prepared *p, context *c,
                               kith_error *error) KITH_MUST_USE;

#endif
