/* The rows are tasks of the pool. The calling thread only waits and reports: a progress function
 * belongs to it, and it must answer Ctrl-C while the last row is still running. */
#include "job/try/try_run.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include <kith/anonymize.h>

enum { POLL_NS = 50000000 }; /* how often the caller's progress function is asked */

/* Shared by all threads. `lock` protects `over`, which says that all tasks have ended. */
typedef struct trial {
    try_row *rows;
    size_t n_rows;
    context *context;
    unsigned n_threads; /* for each row */
    atomic_size_t finished;
    atomic_bool stop;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool over;
} trial;

/* The progress function of a single row. */
static bool may_go_on(void *user, const char *phase, double done)
{
    trial *t = user;
    (void)phase;
    (void)done;
    return !atomic_load_explicit(&t->stop, memory_order_relaxed);
}

try_outcome try_run_outcome(kith_status status)
{
    switch (status) {
    case KITH_OK: return TRY_RELEASED;
    case KITH_CANCELLED: return TRY_MISSING;
    case KITH_INFEASIBLE: return TRY_INFEASIBLE;
    case KITH_INVALID:
    case KITH_DATA: return TRY_REFUSED;
    default: return TRY_FAILED;
    }
}

static void run_row(void *user, size_t index, unsigned worker)
{
    trial *t = user;
    try_row *row = &t->rows[index];
    (void)worker;
    if (row->outcome == TRY_MISSING && may_go_on(t, "", 0)) {
        const kith_run run =
            KITH_OPTIONS(kith_run, .n_threads = t->n_threads, .seeded = true,
                         .seed = t->context->seed, .progress = may_go_on, .user = t);
        kith_table *release = NULL;
        /* A search that was stopped has a result too, but one that depends on the moment. */
        const kith_status status =
            kith_anonymize_table(&release, &row->summary, row->study, row->table, &run, &row->why);
        row->outcome = try_run_outcome(status);
        if (row->outcome == TRY_RELEASED &&
            kith_document_flag(row->summary, "interrupted", false)) {
            row->outcome = TRY_MISSING;
            kith_document_free(row->summary);
            row->summary = NULL;
        }
        kith_table_free(release);
        if (row->outcome == TRY_FAILED) /* the others need not go on */
            atomic_store_explicit(&t->stop, true, memory_order_relaxed);
    }
    atomic_fetch_add_explicit(&t->finished, 1, memory_order_relaxed);
}

/* The thread from which the pool runs. */
static void *run_rows(void *user)
{
    trial *t = user;
    threads_run(t->context->pool, t->n_rows, run_row, t);
    pthread_mutex_lock(&t->lock);
    t->over = true;
    pthread_cond_signal(&t->ended);
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

static bool wait_briefly(trial *t)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += POLL_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&t->lock);
    if (!t->over)
        pthread_cond_timedwait(&t->ended, &t->lock, &until);
    bool over = t->over;
    pthread_mutex_unlock(&t->lock);
    return over;
}

static void report(trial *t)
{
    size_t finished = atomic_load_explicit(&t->finished, memory_order_relaxed);
    char phase[80];
    snprintf(phase, sizeof phase, "try: %zu of %zu", finished, t->n_rows);
    if (!context_progress(t->context, phase, (double)finished / (double)t->n_rows))
        atomic_store_explicit(&t->stop, true, memory_order_relaxed);
}

void try_run(try_row *rows, size_t n_rows, context *c)
{
    unsigned count = threads_count(c->pool);
    trial t = {.rows = rows, .n_rows = n_rows, .context = c};
    pthread_t thread;
    t.n_threads = n_rows < count ? count / (unsigned)n_rows : 1;
    pthread_mutex_init(&t.lock, NULL);
    pthread_cond_init(&t.ended, NULL);
    report(&t);
    if (pthread_create(&thread, NULL, run_rows, &t) == 0) {
        while (!wait_briefly(&t))
            report(&t);
        pthread_join(thread, NULL);
    } else {
        run_rows(&t); /* no thread: without progress */
    }
    pthread_cond_destroy(&t.ended);
    pthread_mutex_destroy(&t.lock);
}
