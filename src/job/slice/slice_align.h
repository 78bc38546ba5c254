/* Two tables whose rows belong together: row i of one to row i of the other. */
#ifndef JOB_SLICE_SLICE_ALIGN_H
#define JOB_SLICE_SLICE_ALIGN_H

#include "core/run/context.h"
#include "job/slice/slice_read.h"

/* The rows of a table move to the ranks that have the rows of another one. `own` are those of this
 * rank, `at` is their place, and the dictionaries are united (table_unite); `n_other` rows of the
 * other table are here. Both tables have as many rows as a whole. *aligned has `n_other` rows,
 * which live in the context's memory; it has no lines. */
kith_status slice_align(kith_table *aligned, const kith_table *own, const slice *at,
                        uint32_t n_other, context *c, kith_error *error) KITH_MUST_USE;

#endif
