#include "core/run/context.h"

#include <sys/resource.h>
#include <time.h>

#include "core/check.h"
#include "core/error.h"
#include "core/options.h"
#include "core/rng.h"

kith_status context_init(context *c, const kith_run *run, kith_error *error)
{
    kith_run mine;
    *c = (context){.run = NULL};
    TRY(options_take_run(&mine, run, error));
    c->memory = arena_new();
    c->pool = threads_new(mine.n_threads);
    kith_run *kept = c->memory == NULL ? NULL : arena_alloc(c->memory, sizeof *kept);
    if (kept == NULL || c->pool == NULL) {
        context_wipe(c);
        return error_nomem(error);
    }
    *kept = mine;
    c->run = kept;
    context_ranks_join(c, c->run->ranks);
    c->seed = c->run->seeded ? c->run->seed : rng_fresh_seed();
    return KITH_OK;
}

void context_wipe(context *c)
{
    context_ranks_leave(c);
    threads_free(c->pool);
    arena_free(c->memory);
    c->pool = NULL;
    c->memory = NULL;
}

bool context_progress(context *c, const char *phase, double done)
{
    ASSERT(c->run != NULL);
    if (!c->cancelled && c->run->progress != NULL)
        c->cancelled = !c->run->progress(c->run->user, phase, done);
    return !c->cancelled;
}

static bool unless_stopped(void *user, const char *phase, double done)
{
    context *c = user;
    return c->cancelled || context_progress(c, phase, done);
}

const kith_run *context_run_to_the_end(context *c)
{
    kith_run *run = arena_alloc(c->memory, sizeof *run);
    if (run == NULL)
        return NULL;
    *run = *c->run;
    run->progress = unless_stopped;
    run->user = c;
    return run;
}

double context_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double context_work_seconds(void)
{
    struct timespec used;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

double context_process_seconds(void)
{
    static const int whose[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
    double seconds = 0;
    for (int i = 0; i < 2; i++) {
        struct rusage used;
        if (getrusage(whose[i], &used) == 0)
            seconds += (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                       1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    }
    return seconds;
}

double context_lap(double *since)
{
    double now = context_seconds(), passed = now - *since;
    *since = now;
    return passed;
}
