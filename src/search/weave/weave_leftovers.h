/* A cluster for each of the few records that no tree could take. */
#ifndef SEARCH_WEAVE_WEAVE_LEFTOVERS_H
#define SEARCH_WEAVE_WEAVE_LEFTOVERS_H

#include "search/weave/weave_internal.h"

/* Gives every record of list[0 … count - 1] to the cluster where it costs least among those that
 * may take it. If the models leave no such cluster for some, these are united with the nearest
 * clusters, as many as needed. KITH_INFEASIBLE if not even all records together may be a class. */
kith_status weave_leftovers(weave_partition *w, weave_shared *shared, const uint32_t *list,
                            uint32_t count, kith_error *error);

#endif
