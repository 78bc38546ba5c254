#include "core/context.h"

#include <time.h>

#include "core/error.h"
#include "core/rng.h"

static const kith_run default_run;

kith_status context_init(context *c, const kith_run *run, kith_error *error)
{
    *c = (context){.run = run == NULL ? &default_run : run};
    c->memory = arena_new();
    c->pool = threads_new(c->run->threads);
    if (c->memory == NULL || c->pool == NULL) {
        context_wipe(c);
        return error_nomem(error);
    }
    c->seed = c->run->seeded ? c->run->seed : rng_fresh_seed();
    return KITH_OK;
}

void context_wipe(context *c)
{
    threads_free(c->pool);
    arena_free(c->memory);
    c->pool = NULL;
    c->memory = NULL;
}

bool context_progress(context *c, const char *phase, double done)
{
    if (!c->cancelled && c->run->progress != NULL)
        c->cancelled = !c->run->progress(c->run->user, phase, done);
    return !c->cancelled;
}

double context_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
