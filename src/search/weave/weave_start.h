/* The first partition: a tree over all records, trees over what was ejected, and a place for each
 * of the few records that remain. */
#ifndef SEARCH_WEAVE_WEAVE_START_H
#define SEARCH_WEAVE_WEAVE_START_H

#include "core/context.h"
#include "search/weave/weave_chunk.h"

/* The threads' scratch spaces and what they share. */
typedef struct weave_shared {
    const problem *problem;
    slots slots;
    uint32_t min_class; /* records of a class */
    context *context;
    atomic_bool stop;
    unsigned n_workers;
    weave_chunk *workers;  /* [n_workers]; that of index 0 can grow a tree over all records */
    uint32_t task_records; /* sets below this size can be grown by every worker */
} weave_shared;

/* Fills w, whose arrays have been allocated. All classes satisfy all models. */
kith_status weave_start(weave_partition *w, weave_shared *shared, kith_error *error);

/* Gives every record of list[0 … count-1] to the cluster where it costs least among those that may
 * take it; where the models leave no such cluster, clusters are united until they do. */
kith_status weave_leftovers(weave_partition *w, weave_shared *shared, const uint32_t *list,
                            uint32_t count, kith_error *error);

#endif
