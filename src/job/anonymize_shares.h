/* kith_anonymize over a crew: every rank reads, searches and writes a share of the rows. */
#ifndef JOB_ANONYMIZE_SHARES_H
#define JOB_ANONYMIZE_SHARES_H

#include <kith/anonymize.h>

#include "core/context.h"

/* All ranks of c->crew call it; *summary, unless it is NULL, is the same on all of them but for the
 * times. The release is a directory with a part of each rank, which appears complete or not at
 * all. */
kith_status anonymize_shares(kith_document **summary, const kith_study *study,
                             const kith_anonymize_options *options, context *c,
                             kith_error *error) KITH_MUST_USE;

#endif
