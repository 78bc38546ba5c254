/* Threads as ranks: any number of ranks in one process, for tests of what runs over ranks. */
#ifndef SUPPORT_THREAD_RANKS_H
#define SUPPORT_THREAD_RANKS_H

#include "core/run/ranks.h"

/* Runs fn(ranks, user) on `n_ranks` threads at a time, each with an object of its own, and returns when
 * all have returned. fn ends with ranks_leave, as every run does, or has got an error of an operation.
 * Assertions of cmocka belong to the caller's thread: fn writes down what it finds. */
void thread_ranks_run(uint32_t n_ranks, void (*fn)(kith_ranks *ranks, void *user), void *user);

#endif
