/* Runs a search on a problem with bounds on levels (level_bounds.h), or whose records may be
 * suppressed although the algorithm forms classes locally. Everything that the algorithm itself
 * sees is a problem without either.
 *
 * Suppression: the search runs with all records first. Then those that widen classes most
 * (suppress.h) are left out and it runs again, up to ROUNDS times; what costs less is kept. So the
 * result never costs more than without suppression. */
#ifndef SEARCH_LOCAL_RUN_H
#define SEARCH_LOCAL_RUN_H

#include "search/search.h"

/* As search_run, for algorithms that are no full-domain searches. Results live in c->memory. */
kith_status local_run(search_result *result, const algorithm *a, const problem *p,
                      const search_spec *spec, context *c, kith_error *error) KITH_MUST_USE;

/* In a release a class that shows the root everywhere cannot be told from suppressed records. So
 * they are one: suppressed if they are few enough, else a class, which must be a good one: *good. */
kith_status local_run_unite_roots(partition *best, const problem *p, arena *memory, bool *good,
                                  kith_error *error) KITH_MUST_USE;

#endif
