/* The algorithms, one file each; search.c lists them. */
#ifndef SEARCH_ALGORITHMS_H
#define SEARCH_ALGORITHMS_H

#include "search/search.h"

/* Results live in c->memory. The problem is feasible: search_run has seen to it. */
kith_status sequential_run(search_result *result, const problem *p, const search_spec *spec,
                           context *c, kith_error *error);
kith_status mondrian_run(search_result *result, const problem *p, const search_spec *spec,
                         context *c, kith_error *error);

#endif
