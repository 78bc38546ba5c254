#include "core/run/context.h"
#include "core/error.h"
#include "core/options.h"

/* In a file of its own: tests put another context_progress between (tests/helpers/struck.c), which the
 * linker does for calls from other files only. */
static bool stop_waiting(void *object)
{
    return !context_progress(object, "wait for ranks", -1);
}

void context_ranks_join(context *c, kith_ranks *joined)
{
    c->ranks = joined;
    ranks_watch(joined, stop_waiting, c);
}

void context_ranks_leave(context *c)
{
    ranks_watch(c->ranks, NULL, NULL);
    c->ranks = NULL;
}

kith_status context_init_shared(context *c, const kith_run *run, kith_error *error)
{
    kith_run mine;
    TRY(options_take_run(&mine, run, error));
    const kith_status status = context_init(c, run, error);
    return status == KITH_OK ? KITH_OK : ranks_leave(mine.ranks, status, error);
}

kith_status context_agree_on_seed(context *c, kith_error *error)
{
    uint64_t seed = ranks_self(c->ranks) == 0 ? c->seed : 0;
    TRY(ranks_sum(c->ranks, &seed, 1, error));
    c->seed = seed;
    return KITH_OK;
}
