/* Data as the caller of a job gives it, of which every rank has a slice. */
#ifndef JOB_SLICE_SLICE_INPUT_H
#define JOB_SLICE_SLICE_INPUT_H

#include "job/slice/slice_read.h"
#include "table/table_input.h"

/* Like table_input_read, but of a URI every rank reads its slice, and a table in memory is the
 * slice of its rank. The result lives as long as the memory of the context. */
kith_status slice_input_read(const kith_table **table, slice *about, const kith_input *from,
                             const kith_table_options *options, context *c,
                             kith_error *error) KITH_MUST_USE;

#endif
