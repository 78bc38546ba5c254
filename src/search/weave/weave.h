/* Weave, the default search: grows a tree over all records (weave_start.h), then improves the
 * classes in rounds (weave_rounds.h).
 *
 * The result does not depend on the number of threads, unless a clock is asked (a budget in
 * seconds) or the user interrupts. */
#ifndef SEARCH_WEAVE_WEAVE_H
#define SEARCH_WEAVE_WEAVE_H

#include "search/search.h"

/* The result lives in c->memory. The problem is feasible: search_run has checked that. */
kith_status weave_run(search_result *result, const problem *p, const search_spec *spec, context *c,
                      kith_error *error);

#endif
