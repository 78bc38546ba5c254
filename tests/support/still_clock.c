/* Every thread is counted as running, or stands in the list of sleepers. Whoever wakes a sleeper
 * counts it as running again at once, before it runs: otherwise the clock might move between the
 * signal and the moment when the system gets round to it.
 *
 * `lock` is taken last: a thread that holds it takes no other lock. */
#include "support/still_clock.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MAX_THREADS = 1024 };

/* A thread that waits for `reason` (a condition variable, or the end of a thread; NULL: for the
 * time alone). Lives on its stack. */
typedef struct sleeper {
    const void *reason;
    int64_t until_ns;
    bool awake, timed_out;
    pthread_cond_t wake;
    struct sleeper *next;
} sleeper;

/* A thread that was started and not joined yet. */
typedef struct thread_record {
    bool used, ended;
    pthread_t id;
    void *(*fn)(void *user);
    void *user;
} thread_record;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t now_ns = INT64_C(1000000000000); /* not near zero, which some take for "never" */
static unsigned n_running = 1;                  /* the first thread */
static sleeper *sleepers;                       /* the one that waits longest first */
static thread_record threads[MAX_THREADS];

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __real_pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*fn)(void *),
                          void *user);
int __real_pthread_join(pthread_t id, void **result);
int __real_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int __real_pthread_cond_signal(pthread_cond_t *condition);

int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*fn)(void *),
                          void *user);
int __wrap_pthread_join(pthread_t id, void **result);
int __wrap_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                  const struct timespec *until);
int __wrap_pthread_cond_signal(pthread_cond_t *condition);
int __wrap_pthread_cond_broadcast(pthread_cond_t *condition);
int __wrap_usleep(useconds_t microseconds);
int __wrap_nanosleep(const struct timespec *duration, struct timespec *left);

/* The caller holds the lock, here and below. */
static void wake(sleeper *s, bool timed_out)
{
    sleeper **at = &sleepers;
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    s->awake = true;
    s->timed_out = timed_out;
    n_running++;
    __real_pthread_cond_signal(&s->wake);
}

static void wake_those(const void *reason, bool all)
{
    for (sleeper *s = sleepers, *next; s != NULL; s = next) {
        next = s->next;
        if (s->reason != reason)
            continue;
        wake(s, false);
        if (!all)
            return;
    }
}

/* Nobody runs: the time of the next sleeper has come. */
static void advance(void)
{
    sleeper *first = sleepers;
    for (sleeper *s = sleepers; s != NULL; s = s->next)
        if (s->until_ns < first->until_ns)
            first = s;
    if (first == NULL || first->until_ns == INT64_MAX) {
        fprintf(stderr, "still_clock: all threads wait for each other\n");
        abort();
    }
    if (first->until_ns > now_ns)
        now_ns = first->until_ns;
    wake(first, true);
}

static void stop_running(void)
{
    if (--n_running == 0)
        advance();
}

/* Returns false when the time has come before anything else. `held`: a mutex that is released
 * meanwhile, or NULL. */
static bool sleep_for(const void *reason, int64_t until_ns, pthread_mutex_t *held)
{
    sleeper self = {.reason = reason, .until_ns = until_ns, .wake = PTHREAD_COND_INITIALIZER};
    sleeper **end = &sleepers;
    while (*end != NULL)
        end = &(*end)->next;
    *end = &self;
    if (held != NULL)
        pthread_mutex_unlock(held);
    stop_running();
    while (!self.awake)
        __real_pthread_cond_wait(&self.wake, &lock);
    pthread_cond_destroy(&self.wake);
    return !self.timed_out;
}

static int64_t nanoseconds(const struct timespec *t)
{
    return (int64_t)t->tv_sec * 1000000000 + t->tv_nsec;
}

/* --- clocks --- */

/* One time for all: condition variables wait for the monotonic clock or for the real one. Work is
 * measured as elsewhere. */
int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    if (clock == CLOCK_THREAD_CPUTIME_ID || clock == CLOCK_PROCESS_CPUTIME_ID)
        return __real_clock_gettime(clock, now);
    pthread_mutex_lock(&lock);
    *now = (struct timespec){.tv_sec = now_ns / 1000000000, .tv_nsec = now_ns % 1000000000};
    pthread_mutex_unlock(&lock);
    return 0;
}

double still_clock_seconds(void)
{
    struct timespec now;
    __wrap_clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int __wrap_nanosleep(const struct timespec *duration, struct timespec *left)
{
    (void)left;
    pthread_mutex_lock(&lock);
    sleep_for(NULL, now_ns + nanoseconds(duration), NULL);
    pthread_mutex_unlock(&lock);
    return 0;
}

int __wrap_usleep(useconds_t microseconds)
{
    struct timespec duration = {.tv_sec = microseconds / 1000000,
                                .tv_nsec = (long)(microseconds % 1000000) * 1000};
    return __wrap_nanosleep(&duration, NULL);
}

/* --- condition variables --- */

static int wait_on(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t until_ns)
{
    pthread_mutex_lock(&lock);
    bool in_time = sleep_for(condition, until_ns, mutex);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(mutex);
    return in_time ? 0 : ETIMEDOUT;
}

int __wrap_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    return wait_on(condition, mutex, INT64_MAX);
}

int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                  const struct timespec *until)
{
    return wait_on(condition, mutex, nanoseconds(until));
}

int __wrap_pthread_cond_signal(pthread_cond_t *condition)
{
    pthread_mutex_lock(&lock);
    wake_those(condition, false);
    pthread_mutex_unlock(&lock);
    return 0;
}

int __wrap_pthread_cond_broadcast(pthread_cond_t *condition)
{
    pthread_mutex_lock(&lock);
    wake_those(condition, true);
    pthread_mutex_unlock(&lock);
    return 0;
}

/* --- threads --- */

static void *run_thread(void *object)
{
    thread_record *r = object;
    void *result = r->fn(r->user);
    pthread_mutex_lock(&lock);
    r->ended = true;
    wake_those(r, true);
    if (--n_running == 0 && sleepers != NULL)
        advance();
    pthread_mutex_unlock(&lock);
    return result;
}

int __wrap_pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*fn)(void *),
                          void *user)
{
    thread_record *r = threads;
    pthread_mutex_lock(&lock);
    while (r < threads + MAX_THREADS && r->used)
        r++;
    if (r == threads + MAX_THREADS)
        abort();
    *r = (thread_record){.used = true, .fn = fn, .user = user};
    n_running++;
    int failed = __real_pthread_create(&r->id, attributes, run_thread, r);
    if (failed != 0) {
        r->used = false;
        n_running--;
    } else {
        *id = r->id;
    }
    pthread_mutex_unlock(&lock);
    return failed;
}

int __wrap_pthread_join(pthread_t id, void **result)
{
    pthread_mutex_lock(&lock);
    for (thread_record *r = threads; r < threads + MAX_THREADS; r++)
        if (r->used && pthread_equal(r->id, id) != 0) {
            while (!r->ended)
                sleep_for(r, INT64_MAX, NULL);
            r->used = false;
        }
    pthread_mutex_unlock(&lock);
    return __real_pthread_join(id, result);
}
