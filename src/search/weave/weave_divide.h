/* Divides a large table in memory into pieces (search/division.h). */
#ifndef SEARCH_WEAVE_WEAVE_DIVIDE_H
#define SEARCH_WEAVE_WEAVE_DIVIDE_H

#include "search/division.h"
#include "search/weave/weave_internal.h"

/* The plan for a table of `whole_records` records, of which the problem has all, or over ranks a
 * share, and the piece of each of these: [n_records]. Lives in c->memory. The table as a whole
 * satisfies the models. */
kith_status weave_divide_plan(division **d, uint32_t **piece_of, const problem *p,
                              uint64_t whole_records, uint32_t min_class, uint32_t limit,
                              context *c, kith_error *error) KITH_MUST_USE;

/* The pieces of a table that lies here; members of a piece ascend. */
kith_status weave_divide(weave_partition *pieces, const problem *p, uint32_t min_class,
                         uint32_t limit, context *c, kith_error *error) KITH_MUST_USE;

#endif
