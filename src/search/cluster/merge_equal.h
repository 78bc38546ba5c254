/* Classes with equal closures cannot be told apart in a release, so they are one class there. */
#ifndef SEARCH_CLUSTER_MERGE_EQUAL_H
#define SEARCH_CLUSTER_MERGE_EQUAL_H

#include "core/context.h"
#include "search/partition.h"

/* Merges classes with equal closures. Some models may be violated by a union of classes that
 * satisfy them: then the classes that violate one are merged with their neighbours, until all
 * models hold or one class is left, in which they must hold. The result lives in c->memory. */
kith_status merge_equal(partition *classes, const problem *p, context *c, kith_error *error);

#endif
