/* The last step of a joint run on rows: all parties know the classes, each site has cells, and the
 * result is one table.
 *
 * The unit is the tuple of all sensitive cells of a row (with `publish_insensitive` the insensitive
 * ones, too), which stay together. While there are few possible tuples, the parties add up how
 * often each occurs in each class (smc/sums/sum.h); otherwise they unite the (class, tuple) pairs as a
 * multiset (smc/sets/mix_union.h). Either way all parties learn the release and nothing else, except
 * that the union tells party 0 how many rows each party has; with `hide_sizes` every party adds
 * empty rows up to the number of all rows. */
#ifndef JOB_JOINT_JOINT_PUBLISH_ROWS_H
#define JOB_JOINT_JOINT_PUBLISH_ROWS_H

#include "job/joint/joint_domain.h"
#include "protocol/rows.h"

/* The release as texts, columns in study order, sorted rows (joint_release.h). Free it with
 * kith_table_free. */
kith_status joint_publish_rows(kith_table **texts, party *p, const prepared *mine,
                               const joint_domain *domain, const rows_result *result, context *c,
                               kith_error *error);

/* This party's own rows with the labels of their classes, sorted. Sends nothing. */
kith_status joint_publish_rows_own(kith_table **texts, party *p, const prepared *mine,
                                   const rows_result *result, context *c, kith_error *error);

#endif
