/* Divides a large table in memory into pieces (search/division.h), which are searched one after the
 * other. */
#ifndef SEARCH_WEAVE_WEAVE_DIVIDE_H
#define SEARCH_WEAVE_WEAVE_DIVIDE_H

#include "search/weave/weave_internal.h"

/* Fills `pieces`; members of a piece ascend. Lives in c->memory. The table as a whole satisfies the
 * models. */
kith_status weave_divide(weave_partition *pieces, const problem *p, uint32_t min_class,
                         uint32_t limit, context *c, kith_error *error) KITH_MUST_USE;

#endif
