/* Sequential clustering where the cost of a class depends on its members' sensitive values. */
#ifndef SEARCH_CLUSTER_SEQUENTIAL_SENSITIVE_H
#define SEARCH_CLUSTER_SEQUENTIAL_SENSITIVE_H

#include "search/algorithms.h"

/* As sequential_run, for problems whose attributes have a sensitive_cost. */
kith_status sequential_sensitive_run(search_result *result, const problem *p,
                                     const search_spec *spec, context *c, kith_error *error);

#endif
