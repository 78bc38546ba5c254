/* A better end for sequential clustering than merging small clusters with each other.
 *
 * One cluster at a time, because here prices are exact and cheap after every step. Where the
 * records or columns lie at several sites every round costs messages, so that rows_finish_rounds.h
 * takes a quarter of the small clusters per round and columns_hybrid.c a tenth; releases differ for
 * that reason, and the three do not share a function. */
#ifndef SEARCH_CLUSTER_FINISH_HYBRID_H
#define SEARCH_CLUSTER_FINISH_HYBRID_H

#include "core/run/context.h"
#include "search/cluster/clusters.h"

/* Takes the small cluster (fewer than k records) with the lowest total cost, and either dissolves
 * it record by record into the clusters where that costs least, or merges it with the nearest
 * cluster of any size, whichever is cheaper; a merger of two small clusters that reaches k counts
 * half. When no small one is left, single records move (up to twenty passes) as long as that helps
 * and sizes stay at k or above. Where models look at sensitive values clusters are only merged,
 * which keeps them satisfied, and single moves are checked. */
kith_status finish_hybrid(clusters *c, uint32_t k, context *run, kith_error *error);

/* The cluster with which merging costs least, and what it costs (a merger of two small clusters
 * that reaches k counts half); CLUSTER_NONE if there is only one cluster. `ids` and `weight` are
 * scratch of slots.stride entries. */
uint32_t finish_hybrid_nearest(const clusters *c, uint32_t k, uint32_t cluster, uint16_t *ids,
                               uint16_t *weight, int64_t *price);

#endif
