/* The models of a release whose rows are on several ranks, without the data it was made from. */
#ifndef JOB_PARTS_PARTS_MODELS_H
#define JOB_PARTS_PARTS_MODELS_H

#include "core/context.h"
#include "job/result/verdict.h"

/* `own` are the rows of this rank, from `first_row` of the whole release on. The report is the same
 * on all ranks, and that of the whole release in one process; it has no grouping, and the row of a
 * verdict is one of *examples. KITH_INVALID names a model that cannot be decided by parts. */
kith_status parts_models(verify_report *report, verdict_rows *examples, const kith_study *study,
                         const kith_table *own, uint64_t first_row, context *c,
                         kith_error *error) KITH_MUST_USE;

#endif
