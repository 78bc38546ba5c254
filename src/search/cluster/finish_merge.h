/* Merging clusters that are too small (SEQ Alg. 1 steps 11-14, Alg. 2 steps 16-19). */
#ifndef SEARCH_CLUSTER_FINISH_MERGE_H
#define SEARCH_CLUSTER_FINISH_MERGE_H

#include "core/run/context.h"
#include "search/cluster/clusters.h"

/* Merges the two closest clusters of fewer than k records until at most one is left, and that one
 * with the cluster closest to it. Distance is the growth of the total cost. Unions of classes that
 * satisfy the models satisfy them too, so nothing is checked here. The index of the clusters is out
 * of date afterwards. */
kith_status finish_merge_small(clusters *c, uint32_t k, context *run, kith_error *error);

#endif
