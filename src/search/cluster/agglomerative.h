/* Agglomerative clustering (SEQ 6.2.1), from single records (agglomerative_run in algorithms.h) or
 * from clusters that another algorithm has made. */
#ifndef SEARCH_CLUSTER_AGGLOMERATIVE_H
#define SEARCH_CLUSTER_AGGLOMERATIVE_H

#include "search/algorithms.h"

/* Merges classes that violate a model, the closest first, until none does. Reads classes and
 * class_of; the result is closed and lives in c->memory. */
kith_status agglomerative_finish(partition *classes, const problem *p, context *c,
                                 kith_error *error);

/* Classes with equal closures cannot be told apart in a release, so they are one class there: merges
 * them. Some models may be violated by a union of classes that satisfy them: then the classes that
 * violate one are merged with their neighbours, until all models hold or one class is left, in which
 * they must hold. The result lives in c->memory. */
kith_status agglomerative_unite_equal(partition *classes, const problem *p, context *c,
                                      kith_error *error);

#endif
