#include "core/run/context.h"
#include "core/error.h"
#include "core/options.h"

/* In a file of its own: tests put another context_progress between (tests/helpers/struck.c), which the
 * linker does for calls from other files only. */
static bool stop_waiting(void *object)
{
    return !context_progress(object, "wait for ranks", -1);
}

void context_crew_join(context *c, crew *joined)
{
    c->crew = joined;
    crew_watch(joined, stop_waiting, c);
}

void context_crew_leave(context *c)
{
    crew_watch(c->crew, NULL, NULL);
    c->crew = NULL;
}

kith_status context_init_shared(context *c, const kith_run *run, kith_error *error)
{
    kith_run mine;
    TRY(options_take_run(&mine, run, error));
    const kith_status status = context_init(c, run, error);
    return status == KITH_OK ? KITH_OK : crew_leave(mine.crew, status, error);
}

kith_status context_agree_on_seed(context *c, kith_error *error)
{
    uint64_t seed = crew_rank(c->crew) == 0 ? c->seed : 0;
    TRY(crew_sum(c->crew, &seed, 1, error));
    c->seed = seed;
    return KITH_OK;
}
