/* How a long call is run: threads, seed, progress, cancellation and ranks. */
#ifndef KITH_RUN_H
#define KITH_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kith/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Called now and then from the thread that made the call. `done` is between 0 and 1, or negative
 * where the amount of work is unknown; `phase` is a name, and may have a detail that changes after
 * a colon ("search: 812 checked, …"). Return false to stop: the call then returns KITH_CANCELLED,
 * or, where it is an anytime algorithm, its best result so far. The function must not call the
 * library with an object that the running call makes, and must not free what that call uses. */
typedef bool (*kith_progress_fn)(void *user, const char *phase, double done);

/* KITH_INIT(kith_run), like NULL, means: all processors, a fresh seed, no progress. */
typedef struct kith_run {
    size_t size;
    unsigned n_threads; /* 0: one per processor */
    bool seeded;        /* fixes the algorithm's own choices, never a key or a mask */
    uint64_t seed;
    kith_progress_fn progress;
    void *user;
    struct kith_ranks *ranks; /* kith/ranks.h; NULL: this process alone */
} kith_run;

#ifdef __cplusplus
}
#endif
#endif
