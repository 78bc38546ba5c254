/* The domains of a release at a client, which has no rows of it. */
#ifndef JOB_QUERY_VIRTUAL_DOMAINS_H
#define JOB_QUERY_VIRTUAL_DOMAINS_H

#include "job/query/virtual_query.h"

/* The released columns of a study with their names and types, and without values: enough to check a
 * query. */
kith_status virtual_domains_names(query_domain **domains, uint32_t *n_domains,
                                  const kith_study *study, arena *memory,
                                  kith_error *error) KITH_MUST_USE;

/* Reads what virtual_domains_tell sends, with its hash. *table is NULL if that is invalid; texts of
 * the table point into `bytes`. */
kith_status virtual_domains_unpack(virtual_table **table, const kith_study *study,
                                   const unsigned char *bytes, size_t length, arena *memory,
                                   kith_error *error) KITH_MUST_USE;

/* Step 3: the first site sends the domains and cells of what the release shows (virtual_labels.h),
 * which are those of q->mine, to a client. *shown, which is that table or NULL, then has them
 * everywhere. They must hash to `id`, which all sites have said. */
kith_status virtual_domains_tell(const virtual_table **shown, party *p, const virtual_query *q,
                                 const unsigned char id[VIRTUAL_RELEASE_ID], arena *memory,
                                 kith_error *error) KITH_MUST_USE;

#endif
