#include "job/joint/background_search.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "core/error.h"

enum { POLL_NS = 20000000 }; /* how often the party is polled */

/* Shared by both threads. `lock` protects the members from phase on. Invariants: phase and done are
 * the latest progress of the search, and `fresh` says that it has not been reported yet; once
 * `over` is set, the search has ended and result, error and status are final. */
typedef struct background {
    search_result *result;
    const algorithm *algorithm;
    const problem *problem;
    const search_spec *spec;
    context context; /* with a progress of its own */
    kith_run run;
    kith_error error;
    kith_status status;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    char phase[160];
    double done;
    bool fresh, stop, over;
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

/* The thread of the search. */
static void *search(void *user)
{
    background *a = user;
    kith_status status =
        search_run(a->result, a->algorithm, a->problem, a->spec, &a->context, &a->error);
    pthread_mutex_lock(&a->lock);
    a->status = status;
    a->over = true;
    pthread_cond_signal(&a->changed);
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

/* Waits for POLL_NS, or until the search has ended. Returns whether it has, with its latest
 * progress. */
static bool wait_briefly(background *a, char phase[160], double *done, bool *fresh)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += POLL_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&a->lock);
    if (!a->over)
        pthread_cond_timedwait(&a->changed, &a->lock, &until);
    snprintf(phase, sizeof a->phase, "%s", a->phase);
    *done = a->done;
    *fresh = a->fresh;
    a->fresh = false;
    bool over = a->over;
    pthread_mutex_unlock(&a->lock);
    return over;
}

static void stop_search(background *a)
{
    pthread_mutex_lock(&a->lock);
    a->stop = true;
    pthread_mutex_unlock(&a->lock);
}

/* Polls the party until the search is over, which the caller's progress function or an error of the
 * party can end early. Returns the status of the party. */
static kith_status poll_party(background *a, context *c, party *p, kith_error *error)
{
    char phase[160];
    double done;
    bool fresh;
    kith_status status = KITH_OK;
    while (!wait_briefly(a, phase, &done, &fresh)) {
        if (status == KITH_OK)
            status = party_poll(p, error);
        bool go_on = !fresh || context_progress(c, phase, done);
        if (status != KITH_OK || !go_on)
            stop_search(a);
    }
    return status;
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
                    .run = *c->run};
    pthread_t thread;
    a.run.progress = note_progress;
    a.run.user = &a;
    a.context.run = &a.run;
    pthread_mutex_init(&a.lock, NULL);
    pthread_cond_init(&a.changed, NULL);
    kith_status talking = KITH_OK;
    if (pthread_create(&thread, NULL, search, &a) == 0) {
        talking = poll_party(&a, c, p, error);
        pthread_join(thread, NULL);
    } else {
        search(&a); /* no thread: the other parties have to wait */
    }
    pthread_cond_destroy(&a.changed);
    pthread_mutex_destroy(&a.lock);
    TRY(talking);
    if (a.status != KITH_OK && error != NULL)
        *error = a.error;
    return a.status;
}
