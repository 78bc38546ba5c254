/* A second way to keep models: cluster without them, then mend what breaks them. */
#ifndef SEARCH_CLUSTER_SEQUENTIAL_REPAIR_H
#define SEARCH_CLUSTER_SEQUENTIAL_REPAIR_H

#include "search/algorithms.h"

/* Where models forbid most moves, clusters that satisfy them all the time (SEQ Alg. 2) get stuck
 * far from the best. So the records are also clustered by size alone, and the clusters that break a
 * model united with their neighbours; the cheaper of both stays in the result. Leaves it alone
 * where more than REPAIR_MAX clusters would have to be mended. */
enum { REPAIR_MAX = 20000 };
kith_status sequential_repair(search_result *result, const problem *p, const search_spec *spec,
                              context *c, kith_error *error);

#endif
