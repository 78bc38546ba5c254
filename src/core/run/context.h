/* The context of one run: its arena, threads, seed and progress. Functions that work for the run
 * receive it as an argument; there are no globals. */
#ifndef CORE_RUN_CONTEXT_H
#define CORE_RUN_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include <kith/run.h>

#include "core/arena.h"
#include "core/run/ranks.h"
#include "core/run/threads.h"

typedef struct context {
    arena *memory; /* lives as long as the run */
    threads *pool;
    uint64_t seed;
    const kith_run *run; /* a full-size copy of the caller's; never NULL */
    kith_ranks *ranks;   /* the processes that work on the same table; NULL: this one alone */
    bool cancelled;      /* set once the callback has asked to stop */
} context;

/* `run` may be NULL. Starts the threads and draws a seed if none is given. */
kith_status context_init(context *c, const kith_run *run, kith_error *error);
/* The same for a call that shares its work. If this rank cannot begin, none can. */
kith_status context_init_shared(context *c, const kith_run *run, kith_error *error);
void context_wipe(context *c);
/* A context that is wiped where its variable goes out of scope, once it has been initialised:
 *
 *     context c CONTEXT_SCOPED = {.run = NULL};
 */
#define CONTEXT_SCOPED __attribute__((cleanup(context_wipe)))

/* Reports the share of the phase that is done, 0 to 1, or -1 if it is unknown. False means: stop;
 * once false, it stays false. Main thread only, since the callback belongs to the caller. */
bool context_progress(context *c, const char *phase, double done);

/* For those who write what the run has found: a run whose progress is that of `c`, but which is not
 * asked again once it has said stop. What goes on then is the result of an interrupted search,
 * which the caller wants. Lives in c->memory; NULL if out of memory. */
const kith_run *context_run_to_the_end(context *c);

/* From now on the run shares its work with other ranks (NULL: it works alone). While that
 * waits for other ranks it reports progress, so that the run can be stopped. */
void context_ranks_join(context *c, kith_ranks *joined);
void context_ranks_leave(context *c);

/* A seed that was not chosen becomes the one that the first rank has drawn. */
kith_status context_agree_on_seed(context *c, kith_error *error);

/* Seconds of a monotonic clock. */
double context_seconds(void);
/* Seconds for which this thread has been at work: how long something takes on this machine, however
 * busy it is with other things. */
double context_work_seconds(void);
/* The same of all threads of the process and of its children that have ended. */
double context_process_seconds(void);
/* Seconds since `*since`, which becomes the present time: for the times of consecutive phases. */
double context_lap(double *since);

#endif
