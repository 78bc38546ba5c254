/* Many small runs at a time. */
#ifndef SUPPORT_CROWD_H
#define SUPPORT_CROWD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct crowd {
    void (*fn)(void *object, size_t i);
    void *object;
    size_t n;
    atomic_size_t next;
} crowd;

static inline void *crowd_worker(void *object)
{
    crowd *c = object;
    for (size_t i = atomic_fetch_add(&c->next, 1); i < c->n; i = atomic_fetch_add(&c->next, 1))
        c->fn(c->object, i);
    return NULL;
}

/* Runs fn(object, 0) … fn(object, n - 1), up to `width` of them at a time: for what mostly waits.
 * Assertions of cmocka belong to the caller's thread: fn writes down what it finds. */
static inline void crowd_run(size_t n, int width, void (*fn)(void *object, size_t i), void *object)
{
    enum { WIDEST = 64 };
    crowd c = {.fn = fn, .object = object, .n = n};
    pthread_t thread[WIDEST];
    if (width > WIDEST)
        width = WIDEST;
    for (int i = 0; i < width; i++)
        if (pthread_create(&thread[i], NULL, crowd_worker, &c) != 0)
            abort();
    for (int i = 0; i < width; i++)
        pthread_join(thread[i], NULL);
}

#endif
