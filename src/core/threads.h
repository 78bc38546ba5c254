/* A small pool of threads for loops whose tasks do not depend on each other.
 *
 * Results must not depend on the number of threads: cut the work into tasks by the data alone, let
 * each task write only its own place, and reduce in task order. */
#ifndef CORE_THREADS_H
#define CORE_THREADS_H

#include <stddef.h>

typedef struct threads threads;

/* A pool of `count` threads, the caller included (0: one per processor). Where threads cannot be
 * started the pool has fewer. NULL if out of memory. */
threads *threads_new(unsigned count);
void threads_free(threads *pool);
unsigned threads_count(const threads *pool);

/* Calls task(user, index, worker) for every index below `n_tasks`, in no fixed order, and returns
 * when all are done; `worker` is below threads_count and names scratch space. A NULL pool runs them
 * here, in order. Not re-entrant. */
void threads_run(threads *pool, size_t n_tasks,
                 void (*tasks)(void *user, size_t index, unsigned worker), void *user);

#endif
