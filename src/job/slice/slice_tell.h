/* Rows of a whole table, which some rank has, on all ranks. */
#ifndef JOB_SLICE_SLICE_TELL_H
#define JOB_SLICE_SLICE_TELL_H

#include "core/run/context.h"
#include "job/result/verdict.h"

/* The cells of the rows that places[count] name by their numbers, and the lines of these. `own` are
 * the rows from `first_row` on; only columns that have the same dictionary on all ranks can be read
 * of `told`. A place that is VERDICT_NOWHERE has a row without meaning. */
kith_status slice_tell(verdict_rows *told, verdict_place *places, uint32_t count,
                       const kith_table *own, uint64_t first_row, context *c,
                       kith_error *error) KITH_MUST_USE;

#endif
