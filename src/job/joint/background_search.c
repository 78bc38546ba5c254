#include "job/joint/background_search.h"

#include <pthread.h>
#include <stdio.h>

#include "wire/party_work.h"

/* Shared by both threads. `lock` protects the members from phase on. Invariant: phase and done are
 * the latest progress of the search, and `fresh` says that it has not been reported yet. */
typedef struct background {
    search_result *result;
    const algorithm *algorithm;
    const problem *problem;
    const search_spec *spec;
    context context; /* with a progress of its own */
    struct context *caller;
    kith_run run;
    pthread_mutex_t lock;
    char phase[160];
    double done;
    bool fresh, stop;
} background;

/* Runs in the thread of the search. */
static bool note_progress(void *user, const char *phase, double done)
{
    background *a = user;
    pthread_mutex_lock(&a->lock);
    snprintf(a->phase, sizeof a->phase, "%s", phase);
    a->done = done;
    a->fresh = true;
    bool go_on = !a->stop;
    pthread_mutex_unlock(&a->lock);
    return go_on;
}

static kith_status background_search_search(void *user, kith_error *error)
{
    background *a = user;
    return search_run(a->result, a->algorithm, a->problem, a->spec, &a->context, error);
}

/* Passes the latest progress on. The caller's progress function, or an error of the party, ends the
 * search early. */
static void report(void *user, bool failed)
{
    background *a = user;
    char phase[sizeof a->phase];
    pthread_mutex_lock(&a->lock);
    snprintf(phase, sizeof phase, "%s", a->phase);
    const double done = a->done;
    const bool fresh = a->fresh;
    a->fresh = false;
    pthread_mutex_unlock(&a->lock);
    const bool go_on = !fresh || context_progress(a->caller, phase, done);
    if (go_on && !failed)
        return;
    pthread_mutex_lock(&a->lock);
    a->stop = true;
    pthread_mutex_unlock(&a->lock);
}

kith_status background_search(search_result *result, const algorithm *algorithm_used,
                              const problem *problem_given, const search_spec *spec, context *c,
                              party *p, kith_error *error)
{
    background a = {.result = result,
                    .algorithm = algorithm_used,
                    .problem = problem_given,
                    .spec = spec,
                    .context = *c,
                    .caller = c,
                    .run = *c->run};
    const party_work_task task = {background_search_search, report, &a};
    a.run.progress = note_progress;
    a.run.user = &a;
    a.context.run = &a.run;
    pthread_mutex_init(&a.lock, NULL);
    const kith_status status = party_work(p, &task, error);
    pthread_mutex_destroy(&a.lock);
    return status;
}
