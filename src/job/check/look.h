/* Reads data that is to be anonymized, and looks at what the release will show of it unchanged. */
#ifndef JOB_CHECK_LOOK_H
#define JOB_CHECK_LOOK_H

#include "core/run/context.h"
#include "study/study.h"
#include "table/table_input.h"

/* The columns that the study reads. *findings has what released_columns_warn says, also of
 * identifiers that the study does not read: those of a file of at most LOOK_BYTES are read for that
 * alone. Everything lives in the context's memory. */
enum { LOOK_BYTES = 256 << 20 };
kith_status look_read(const kith_table **table, const kith_findings **findings,
                      const kith_study *study, const kith_input *from, context *c,
                      kith_error *error) KITH_MUST_USE;

/* What released_columns_warn_repeated says of data that a joint run is about to read, whatever
 * columns a party of it reads; nothing of a file above LOOK_BYTES, and of a database. */
kith_status look_for_repeats(const kith_findings **findings, const kith_study *study,
                             const kith_input *from, context *c, kith_error *error) KITH_MUST_USE;

/* The findings alone, about a table that is there. */
kith_status look_at_table(const kith_findings **findings, const kith_study *study,
                          const kith_table *table, context *c, kith_error *error) KITH_MUST_USE;

#endif
