/* Data that only rank 0 can read: it has all rows, and the others have none. */
#ifndef JOB_SLICE_SLICE_ALONE_H
#define JOB_SLICE_SLICE_ALONE_H

#include "core/run/context.h"
#include "table/source.h"

/* `whole` is what rank 0 has read; others have NULL, and get a table of its columns without rows.
 */
kith_status slice_alone(const source *s, kith_table *whole, context *c, kith_table **table,
                        kith_error *error) KITH_MUST_USE;

#endif
