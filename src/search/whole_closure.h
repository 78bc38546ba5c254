/* Closures of sets of records that lie on several ranks. */
#ifndef SEARCH_WHOLE_CLOSURE_H
#define SEARCH_WHOLE_CLOSURE_H

#include "core/run/ranks.h"
#include "search/problem.h"

#define WHOLE_CLOSURE_EMPTY UINT32_MAX /* no record on this rank */

/* closures[set * n_attributes + attribute] has the node of this rank's records and becomes that of
 * all ranks' records. */
kith_status whole_closure(uint32_t *closures, uint32_t n_sets, const problem *p, kith_ranks *ranks,
                          arena *memory, kith_error *error) KITH_MUST_USE;

#endif
