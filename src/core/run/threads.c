#include "core/run/threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/check.h"

enum { THREADS_MAX = 1024 };

typedef struct worker {
    threads *pool;
    unsigned index;
    pthread_t thread;
} worker;

/* Invariants: `lock` protects all members but `next`. `generation` counts the loops begun, `busy`
 * the workers that have not finished the current one; between loops it is 0. `next` hands out task
 * indices; a loop is over when it has reached `n_tasks` and no worker is busy. */
struct threads {
    pthread_mutex_t lock;
    pthread_cond_t begin, end;
    unsigned generation;
    unsigned busy;
    bool stop;
    bool running;       /* inside threads_run, which is not re-entrant */
    unsigned n_workers; /* started threads; the caller is worker 0 and not among them */
    worker *workers;
    void (*task)(void *user, size_t index, unsigned worker);
    void *user;
    size_t n_tasks;
    atomic_size_t next;
};

/* Relaxed order suffices for `next`: the lock, taken at the beginning and end of a loop, makes the
 * tasks' data visible. */
static void run_tasks(threads *pool, unsigned index)
{
    for (;;) {
        size_t i = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
        if (i >= pool->n_tasks)
            return;
        pool->task(pool->user, i, index);
    }
}

static void *worker_main(void *argument)
{
    worker *self = argument;
    threads *pool = self->pool;
    unsigned seen = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (!pool->stop && pool->generation == seen)
            pthread_cond_wait(&pool->begin, &pool->lock);
        if (pool->stop)
            break;
        seen = pool->generation;
        pthread_mutex_unlock(&pool->lock);
        run_tasks(pool, self->index);
        pthread_mutex_lock(&pool->lock);
        if (--pool->busy == 0)
            pthread_cond_signal(&pool->end);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

threads *threads_new(unsigned count)
{
    if (count == 0) {
        long processors = sysconf(_SC_NPROCESSORS_ONLN);
        count = processors < 1 ? 1 : (unsigned)processors;
    }
    if (count > THREADS_MAX)
        count = THREADS_MAX;
    threads *pool = calloc(1, sizeof *pool);
    if (pool == NULL)
        return NULL;
    pool->workers = calloc(count, sizeof *pool->workers);
    if (pool->workers == NULL) {
        free(pool);
        return NULL;
    }
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->begin, NULL);
    pthread_cond_init(&pool->end, NULL);
    while (pool->n_workers + 1 < count) {
        worker *w = &pool->workers[pool->n_workers];
        *w = (worker){.pool = pool, .index = pool->n_workers + 1};
        if (pthread_create(&w->thread, NULL, worker_main, w) != 0)
            break; /* fewer threads: slower, but the results are the same */
        pool->n_workers++;
    }
    return pool;
}

void threads_free(threads *pool)
{
    if (pool == NULL)
        return;
    pthread_mutex_lock(&pool->lock);
    ASSERT(pool->busy == 0 && !pool->running);
    pool->stop = true;
    pthread_cond_broadcast(&pool->begin);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->n_workers; i++)
        pthread_join(pool->workers[i].thread, NULL);
    pthread_cond_destroy(&pool->end);
    pthread_cond_destroy(&pool->begin);
    pthread_mutex_destroy(&pool->lock);
    free(pool->workers);
    free(pool);
}

unsigned threads_count(const threads *pool)
{
    return pool == NULL ? 1 : pool->n_workers + 1;
}

void threads_run(threads *pool, size_t n_tasks,
                 void (*task)(void *user, size_t index, unsigned worker), void *user)
{
    if (pool == NULL || pool->n_workers == 0 || n_tasks < 2) {
        for (size_t i = 0; i < n_tasks; i++)
            task(user, i, 0);
        return;
    }
    pthread_mutex_lock(&pool->lock);
    ASSERT(pool->busy == 0 && !pool->running);
    pool->running = true;
    pool->task = task;
    pool->user = user;
    pool->n_tasks = n_tasks;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    pool->busy = pool->n_workers;
    pool->generation++;
    pthread_cond_broadcast(&pool->begin);
    pthread_mutex_unlock(&pool->lock);
    run_tasks(pool, 0);
    pthread_mutex_lock(&pool->lock);
    while (pool->busy > 0)
        pthread_cond_wait(&pool->end, &pool->lock);
    ASSERT(atomic_load_explicit(&pool->next, memory_order_relaxed) >= n_tasks);
    pool->running = false;
    pthread_mutex_unlock(&pool->lock);
}
