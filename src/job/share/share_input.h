/* Data as the caller of a job gives it, of which every rank has a share. */
#ifndef JOB_SHARE_SHARE_INPUT_H
#define JOB_SHARE_SHARE_INPUT_H

#include "job/share/share_read.h"
#include "table/table_input.h"

/* Like table_input_read, but of a URI every rank reads its share, and a table in memory is the
 * share of its rank. The result lives as long as the memory of the context. */
kith_status share_input_read(const kith_table **table, share *about, const kith_input *from,
                             const kith_table_options *options, context *c,
                             kith_error *error) KITH_MUST_USE;

#endif
