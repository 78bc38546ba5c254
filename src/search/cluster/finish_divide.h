/* Divides classes that are large enough for two, for models that a random half would violate: the
 * records that agree in some level become one side, the others the second side, and as many records
 * as the models need move from the first side to the second. */
#ifndef SEARCH_CLUSTER_FINISH_DIVIDE_H
#define SEARCH_CLUSTER_FINISH_DIVIDE_H

#include "search/cluster/clusters.h"

/* Divides clusters of 2 k records and more, and their parts, as long as that lowers the cost and
 * both parts have k records and satisfy the models of c->rules. The index does not follow: arrange
 * the clusters afterwards. Deterministic. Cost: size x slots for every part. */
kith_status finish_divide_large(clusters *c, uint32_t k, kith_error *error);

#endif
