/* Improving a partition in rounds.
 *
 * A round sorts the clusters by closure, with another order of slots each time, so that similar
 * ones are neighbours, and cuts this order into chunks. Threads improve chunks independently of
 * each other (weave_chunk.h). Every chunk has a random generator of its own, seeded by round and
 * number of the chunk: so the result does not depend on the number of threads. */
#ifndef SEARCH_WEAVE_WEAVE_ROUNDS_H
#define SEARCH_WEAVE_WEAVE_ROUNDS_H

#include "search/weave/weave_internal.h"

/* Largest number of clusters of a chunk. */
enum { WEAVE_ROUNDS_MAX_CHUNK = 256 };

/* Puts the best partition of all rounds in the place of *w. `begun` is the time, as of
 * context_seconds, when the search began: a budget in seconds counts from there. */
kith_status weave_rounds(weave_partition *w, weave_shared *shared, const weave_schedule *s,
                         double begun, kith_error *error);

#endif
