/* Agglomerative clustering (SEQ 6.2.1), from single records (agglomerative_run in algorithms.h) or
 * from clusters that another algorithm has made. */
#ifndef SEARCH_CLUSTER_AGGLOMERATIVE_H
#define SEARCH_CLUSTER_AGGLOMERATIVE_H

#include "search/algorithms.h"

/* Merges classes that violate a model, the closest first, until none does. Reads classes and
 * class_of; the result is closed and lives in c->memory. */
kith_status agglomerative_finish(partition *classes, const problem *p, context *c,
                                 kith_error *error);

#endif
