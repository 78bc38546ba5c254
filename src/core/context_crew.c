#include "core/context.h"

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
