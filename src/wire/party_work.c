#include "wire/party_work.h"

#include <pthread.h>
#include <time.h>

#include "core/error.h"

enum { TURN_NS = 20000000 }; /* how often the party is polled */

/* Shared by both threads. `lock` protects `over`: once it is set, the work has ended, and status
 * and error are final. */
typedef struct errand {
    const party_work_task *task;
    kith_error error;
    kith_status status;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool over;
} errand;

/* The thread of the work. */
static void *work(void *user)
{
    errand *e = user;
    const kith_status status = e->task->work(e->task->user, &e->error);
    pthread_mutex_lock(&e->lock);
    e->status = status;
    e->over = true;
    pthread_cond_signal(&e->changed);
    pthread_mutex_unlock(&e->lock);
    return NULL;
}

/* Waits for TURN_NS, or until the work has ended. Returns whether it has. */
static bool wait_briefly(errand *e)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += TURN_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&e->lock);
    if (!e->over)
        pthread_cond_timedwait(&e->changed, &e->lock, &until);
    const bool over = e->over;
    pthread_mutex_unlock(&e->lock);
    return over;
}

kith_status party_work(party *p, const party_work_task *task, kith_error *error)
{
    errand e = {.task = task, .status = KITH_OK};
    pthread_t thread;
    kith_status talking = KITH_OK;
    pthread_mutex_init(&e.lock, NULL);
    pthread_cond_init(&e.changed, NULL);
    if (pthread_create(&thread, NULL, work, &e) == 0) {
        while (!wait_briefly(&e)) {
            if (talking == KITH_OK)
                talking = party_poll(p, error);
            if (task->turn != NULL)
                task->turn(task->user, talking != KITH_OK);
        }
        pthread_join(thread, NULL);
    } else {
        work(&e); /* no thread: the other parties have to wait */
    }
    pthread_cond_destroy(&e.changed);
    pthread_mutex_destroy(&e.lock);
    TRY(talking);
    if (e.status != KITH_OK && error != NULL)
        *error = e.error;
    return e.status;
}
