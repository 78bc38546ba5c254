/* Many small runs at a time. */
#ifndef SUPPORT_PARALLEL_RUNS_H
#define SUPPORT_PARALLEL_RUNS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct parallel_runs {
    void (*fn)(void *object, size_t i);
    void *object;
    size_t n;
    atomic_size_t next;
} parallel_runs;

static inline void *parallel_worker(void *object)
{
    parallel_runs *c = object;
    for (size_t i = atomic_fetch_add(&c->next, 1); i < c->n; i = atomic_fetch_add(&c->next, 1))
        c->fn(c->object, i);
    return NULL;
}

/* Runs fn(object, 0) … fn(object, n - 1), up to `width` of them at a time: for what mostly waits.
 * Assertions of cmocka belong to the caller's thread: fn writes down what it finds. */
static inline void parallel_run(size_t n, int width, void (*fn)(void *object, size_t i),
                                void *object)
{
    enum { WIDEST = 64 };
    parallel_runs c = {.fn = fn, .object = object, .n = n};
    pthread_t thread[WIDEST];
    if (width > WIDEST)
        width = WIDEST;
    for (int i = 0; i < width; i++)
        if (pthread_create(&thread[i], NULL, parallel_worker, &c) != 0)
            abort();
    for (int i = 0; i < width; i++)
        pthread_join(thread[i], NULL);
}

#endif
