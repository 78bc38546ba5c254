/* The context of one run: its arena, threads, seed and progress, handed down to everything that
 * works for it. */
#ifndef CORE_CONTEXT_H
#define CORE_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include <kith/run.h>

#include "core/arena.h"
#include "core/threads.h"

typedef struct context {
    arena *memory; /* lives as long as the run */
    threads *pool;
    uint64_t seed;
    const kith_run *run; /* a full-size copy of the caller's; never NULL */
    bool cancelled;      /* set once the callback has asked to stop */
} context;

/* `run` may be NULL. Starts the threads and draws a seed if none is given. */
kith_status context_init(context *c, const kith_run *run, kith_error *error);
void context_wipe(context *c);

/* Reports progress; false means stop, and stays false from then on. Main thread only. */
bool context_progress(context *c, const char *phase, double done);

/* Seconds of a monotonic clock. */
double context_seconds(void);

#endif
