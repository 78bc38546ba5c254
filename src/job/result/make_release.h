/* From a search's result to a release: which text each column shows. */
#ifndef JOB_RESULT_MAKE_RELEASE_H
#define JOB_RESULT_MAKE_RELEASE_H

#include "job/prepare/prepare.h"
#include "release/release.h"

/* How a result of a search on p->problem becomes rows. */
kith_status make_release(release *r, const prepared *p, const search_result *result, context *c,
                         kith_error *error);

/* KITH_DATA if the study releases ranges and a value is so long that min..max does not fit a cell.
 */
kith_status make_release_check_ranges(const prepared *p, kith_error *error) KITH_MUST_USE;

#endif
