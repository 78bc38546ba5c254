/* Classes that look the same in a release are one class there. */
#ifndef SEARCH_CLUSTER_MERGE_EQUAL_H
#define SEARCH_CLUSTER_MERGE_EQUAL_H

#include "core/context.h"
#include "search/problem.h"

/* Unites classes with equal closures. Where a model does not survive unions, that may break it:
 * then the classes that do unite with their neighbours, until all models hold or one class is left,
 * in which they must hold. The result lives in c->memory. */
kith_status merge_equal(partition *classes, const problem *p, context *c, kith_error *error);

#endif
