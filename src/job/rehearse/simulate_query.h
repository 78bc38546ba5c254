/* A query on the rows that the sites of a simulation have written (publish: virtual). */
#ifndef JOB_REHEARSE_SIMULATE_QUERY_H
#define JOB_REHEARSE_SIMULATE_QUERY_H

#include "job/rehearse/simulate.h"

/* What can be checked before the run. */
kith_status simulate_query_check(const simulation *s, kith_error *error) KITH_MUST_USE;

/* Lets a client ask all sites, each of them a thread, and adds {"query": {"text", "answer",
 * "exact", "seconds"}}; the exact answer comes from the whole table. */
kith_status simulate_query(simulation *s, kith_document *d, document_node *root,
                           kith_error *error) KITH_MUST_USE;

#endif
