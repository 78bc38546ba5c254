/* A small pool of threads for loops whose tasks do not depend on each other.
 *
 * Results must not depend on the number of threads: cut the work into tasks by the data alone, let
 * each task write only its own results, and combine them in task order. */
#ifndef CORE_RUN_THREADS_H
#define CORE_RUN_THREADS_H

#include <stddef.h>

typedef struct threads threads;

/* A pool of `count` threads, the caller included (0: one per processor). If
 * the system refuses to start a thread, the pool has fewer. NULL if out of memory. */
threads *threads_new(unsigned count);
void threads_free(threads *pool);
unsigned threads_count(const threads *pool);

/* Calls task(user, index, worker) for every index below `n_tasks`, in no fixed order, and returns
 * when all are done. `worker` is below threads_count and belongs to one thread, so that a task can
 * use it as the index of scratch space. A NULL pool runs all tasks in the calling thread, in order.
 * A task must not call threads_run on the same pool. */
void threads_run(threads *pool, size_t n_tasks,
                 void (*task)(void *user, size_t index, unsigned worker), void *user);

#endif
