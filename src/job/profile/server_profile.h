/* Describing a table for which a database server counts. */
#ifndef JOB_PROFILE_SERVER_PROFILE_H
#define JOB_PROFILE_SERVER_PROFILE_H

#include "core/context.h"
#include "core/document.h"
#include "study/study.h"

/* Adds what describing the same table in memory adds, with the same numbers; dependencies are
 * always complete. The values of one column are in memory at a time. The order of the rows, by
 * which serial numbers are recognized, is that of the address (`order=`) or of the primary key. */
kith_status server_profile_put(kith_document *d, const char *uri, const kith_table_options *options,
                               const kith_study *study, context *c,
                               kith_error *error) KITH_MUST_USE;

#endif
