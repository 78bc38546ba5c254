/* The first partition: a tree over all records, trees over what was ejected, and a place for each
 * of the few records that remain. */
#ifndef SEARCH_WEAVE_WEAVE_START_H
#define SEARCH_WEAVE_WEAVE_START_H

#include "core/context.h"
#include "search/weave/weave_chunk.h"

/* The threads' scratch spaces and what they share. */
typedef struct workshop {
    const problem *problem;
    slots slots;
    uint32_t least; /* records of a class */
    context *context;
    atomic_bool stop;
    unsigned workers;
    chunk *worker; /* [workers]; that of index 0 can grow a tree over all records */
    uint32_t cut;  /* sets below this size can be grown by every worker */
} workshop;

/* Fills w, whose arrays have been allocated. All classes satisfy all models. */
kith_status weave_start(weaving *w, workshop *shop, kith_error *error);

/* Gives every record of list[0 … count-1] to the cluster where it costs least among those that may
 * take it; where the models leave no such cluster, clusters are united until they do. */
kith_status weave_place(weaving *w, workshop *shop, const uint32_t *list, uint32_t count,
                        kith_error *error);

#endif
