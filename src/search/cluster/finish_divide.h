/* Divides classes that are large enough for two, where models keep a random half from being a
 * class: the records that agree in some level on one side, the rest on the other, and from the
 * first side as many to the second as the models need. */
#ifndef SEARCH_CLUSTER_FINISH_DIVIDE_H
#define SEARCH_CLUSTER_FINISH_DIVIDE_H

#include "search/cluster/clusters.h"

/* Divides clusters of 2 k records and more, and their parts, as long as that lowers the cost and
 * both parts have k records and satisfy the models of c->admit. The index does not follow: arrange
 * the clusters afterwards. Deterministic. Cost: size x slots for every part. */
kith_status finish_divide_large(clusters *c, uint32_t k, kith_error *error);

#endif
