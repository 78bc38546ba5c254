/* A second way to satisfy models: cluster without them, then repair the clusters that violate one.
 */
#ifndef SEARCH_CLUSTER_SEQUENTIAL_REPAIR_H
#define SEARCH_CLUSTER_SEQUENTIAL_REPAIR_H

#include "search/algorithms.h"

/* Where models forbid most moves, clusters that satisfy them all the time (SEQ Alg. 2) get stuck
 * far from the best. So the records are also clustered by size alone, and the clusters that violate
 * a model merged with their neighbours; the result becomes the cheaper one of both. It stays as it
 * is if more than REPAIR_MAX clusters would have to be repaired, which takes quadratic time. */
enum { REPAIR_MAX = 20000 };
kith_status sequential_repair(search_result *result, const problem *p, const search_spec *spec,
                              context *c, kith_error *error);

#endif
