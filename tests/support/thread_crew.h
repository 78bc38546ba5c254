/* A crew of threads: any number of ranks in one process, for tests of what runs over ranks. */
#ifndef SUPPORT_THREAD_CREW_H
#define SUPPORT_THREAD_CREW_H

#include "core/run/crew.h"

/* Runs fn(c, user) on `n_ranks` threads at a time, each with a crew of its own, and returns when
 * all have returned. fn ends with crew_leave, as every run does, or has got an error of the crew.
 * Assertions of cmocka belong to the caller's thread: fn writes down what it finds. */
void thread_crew_run(uint32_t n_ranks, void (*fn)(crew *c, void *user), void *user);

#endif
