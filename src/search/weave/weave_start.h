/* The first partition: a tree over all records, trees over the records that these eject, and
 * clusters for the few records that remain (weave_leftovers.h). */
#ifndef SEARCH_WEAVE_WEAVE_START_H
#define SEARCH_WEAVE_WEAVE_START_H

#include "search/weave/weave_internal.h"

/* Fills w, whose arrays have been allocated. All classes satisfy all models. KITH_INFEASIBLE if not
 * even all records together do. */
kith_status weave_start(weave_partition *w, weave_shared *shared, kith_error *error);

#endif
