/* Anonymizes a table that does not fit into memory: it is divided by counts (search/division.h),
 * and one piece after the other is fetched, searched, and put back. The release is the one that
 * the same seed gives in memory. */
#ifndef JOB_STORE_STORE_RUN_H
#define JOB_STORE_STORE_RUN_H

#include <kith/anonymize.h>

#include "job/result/summary.h"
#include "job/store/store.h"

/* KITH_INVALID, with what helps, if the study or the options ask for something that needs all rows
 * in memory. `options` may be NULL. */
kith_status store_run_refuse(const kith_study *study, const kith_anonymize_options *options,
                             kith_error *error) KITH_MUST_USE;

/* From the survey to the commit. The summary is made before the commit; NULL: none is wanted. */
kith_status store_run(store *s, const kith_study *study, context *c, kith_document **summary,
                      kith_error *error) KITH_MUST_USE;

#endif
