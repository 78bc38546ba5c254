/* The last step of a joint run on rows: from classes, known to all, and cells that each site has to
 * one table.
 *
 * The unit is the tuple of all sensitive cells of a row (with `publish_insensitive` the insensitive
 * ones too), kept together. How often each tuple occurs in each class is added up (smc/sum.h) as
 * long as there are few possible tuples, otherwise the (class, tuple) pairs are united as a
 * multiset (smc/mix_union.h). Either way all parties learn the release and nothing more; the union
 * tells party 0 how many rows each party has, unless `hide_sizes` says that each fills up with
 * empty ones to the number of all. */
#ifndef JOB_JOINT_JOINT_PUBLISH_ROWS_H
#define JOB_JOINT_JOINT_PUBLISH_ROWS_H

#include "job/joint/joint_domain.h"
#include "protocol/rows.h"

/* Texts in study order; the rows stand in an order that party 0 drew for all. Free it. */
kith_status joint_publish_rows(kith_table **texts, party *p, const prepared *mine,
                               const joint_domain *domain, const rows_result *result, context *c,
                               kith_error *error);

/* This party's own rows with their classes, in an order that says nothing. Nothing is sent. */
kith_status joint_publish_rows_own(kith_table **texts, const prepared *mine,
                                   const rows_result *result, context *c, kith_error *error);

#endif
