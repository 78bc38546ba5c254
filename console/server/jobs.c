/* Jobs: one thread each, a fixed number of places. */
#include "console/server/jobs.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "console/server/json.h"

enum { MAX_RUNNING = 8, PLACES = 40 };

typedef enum job_state { JOB_FREE, JOB_RUNNING, JOB_ENDED } job_state;

struct job {
    jobs *all;
    job_state state;
    unsigned number;
    char name[64];
    pthread_t thread;
    bool joined;
    bool stop;
    job_work *work;
    void *input;
    void (*free_input)(void *);
    char phase[192];
    double share;
    time_t started, ended;
    cJSON *live, *result;
    kith_status status;
    kith_error error;
};

struct jobs {
    pthread_mutex_t lock;
    unsigned last;
    job places[PLACES];
};

jobs *jobs_new(void)
{
    jobs *all = calloc(1, sizeof *all);
    if (all != NULL)
        pthread_mutex_init(&all->lock, NULL);
    return all;
}

static void clear(job *j)
{
    if (j->state == JOB_ENDED && !j->joined)
        pthread_join(j->thread, NULL);
    cJSON_Delete(j->live);
    cJSON_Delete(j->result);
    *j = (job){.state = JOB_FREE};
}

void jobs_free(jobs *all)
{
    if (all == NULL)
        return;
    pthread_mutex_lock(&all->lock);
    for (size_t i = 0; i < PLACES; i++)
        all->places[i].stop = true;
    pthread_mutex_unlock(&all->lock);
    for (size_t i = 0; i < PLACES; i++) {
        job *j = &all->places[i];
        if (j->state != JOB_FREE && !j->joined) {
            pthread_join(j->thread, NULL);
            j->joined = true;
        }
        clear(j);
    }
    pthread_mutex_destroy(&all->lock);
    free(all);
}

static bool on_progress(void *user, const char *phase, double done)
{
    job *self = user;
    pthread_mutex_lock(&self->all->lock);
    snprintf(self->phase, sizeof self->phase, "%s", phase);
    self->share = done;
    const bool go_on = !self->stop;
    pthread_mutex_unlock(&self->all->lock);
    return go_on;
}

static void *run_job(void *argument)
{
    job *self = argument;
    const kith_run run = KITH_OPTIONS(kith_run, .progress = on_progress, .user = self);
    kith_error error = {0};
    cJSON *result = cJSON_CreateObject();
    const kith_status status = result == NULL ? json_fail(&error, KITH_NOMEM, "out of memory")
                                              : self->work(self, self->input, &run, result, &error);
    if (self->free_input != NULL)
        self->free_input(self->input);
    pthread_mutex_lock(&self->all->lock);
    self->result = result;
    self->status = status;
    self->error = error;
    self->ended = time(NULL);
    self->state = JOB_ENDED;
    pthread_mutex_unlock(&self->all->lock);
    return NULL;
}

/* A free place, else that of the job that ended first. */
static job *find_place(jobs *all)
{
    job *oldest = NULL;
    size_t n_running = 0;
    for (size_t i = 0; i < PLACES; i++)
        n_running += all->places[i].state == JOB_RUNNING;
    if (n_running >= MAX_RUNNING)
        return NULL;
    for (size_t i = 0; i < PLACES; i++) {
        job *j = &all->places[i];
        if (j->state == JOB_FREE)
            return j;
        if (j->state == JOB_ENDED && (oldest == NULL || j->number < oldest->number))
            oldest = j;
    }
    clear(oldest);
    return oldest;
}

/* Signals are for the main thread. */
static bool start_thread(job *j)
{
    sigset_t every, old;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &old);
    const bool started = pthread_create(&j->thread, NULL, run_job, j) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return started;
}

kith_status jobs_start(jobs *all, const char *name, job_work *work, void *input,
                       void (*free_input)(void *), cJSON *out, kith_error *error)
{
    pthread_mutex_lock(&all->lock);
    job *j = find_place(all);
    bool started = false;
    if (j != NULL) {
        *j = (job){.all = all,
                   .state = JOB_RUNNING,
                   .number = ++all->last,
                   .work = work,
                   .input = input,
                   .free_input = free_input,
                   .share = -1,
                   .started = time(NULL)};
        snprintf(j->name, sizeof j->name, "%s", name);
        started = start_thread(j);
        if (started)
            cJSON_AddNumberToObject(out, "job", j->number);
        else
            j->state = JOB_FREE;
    }
    pthread_mutex_unlock(&all->lock);
    if (started)
        return KITH_OK;
    if (free_input != NULL)
        free_input(input);
    return json_fail(error, KITH_IO, "%d jobs are under way: wait for one of them, or stop it",
                     MAX_RUNNING);
}

void job_tell(job *self, cJSON *live)
{
    pthread_mutex_lock(&self->all->lock);
    cJSON *before = self->live;
    self->live = live;
    pthread_mutex_unlock(&self->all->lock);
    cJSON_Delete(before);
}

bool job_stopped(job *self)
{
    pthread_mutex_lock(&self->all->lock);
    const bool stopped = self->stop;
    pthread_mutex_unlock(&self->all->lock);
    return stopped;
}

static void describe_end(const job *j, cJSON *out)
{
    const bool cancelled = j->status == KITH_CANCELLED;
    cJSON_AddStringToObject(out, "state",
                            j->status == KITH_OK ? "done"
                            : cancelled          ? "stopped"
                                                 : "failed");
    if (j->result != NULL)
        cJSON_AddItemToObject(out, "result", cJSON_Duplicate(j->result, true));
    if (j->status == KITH_OK)
        return;
    cJSON_AddStringToObject(out, "error", cancelled ? "stopped" : j->error.message);
    cJSON_AddStringToObject(out, "hint", j->error.hint);
    cJSON_AddStringToObject(out, "kind", kith_status_name(j->status));
}

static job *find_job(jobs *all, unsigned number)
{
    for (size_t i = 0; i < PLACES; i++)
        if (all->places[i].state != JOB_FREE && all->places[i].number == number)
            return &all->places[i];
    return NULL;
}

static kith_status no_such_job(unsigned number, kith_error *error)
{
    return json_fail(error, KITH_INVALID, "there is no job %u", number);
}

kith_status jobs_describe(jobs *all, unsigned number, cJSON *out, kith_error *error)
{
    pthread_mutex_lock(&all->lock);
    const job *j = find_job(all, number);
    if (j != NULL) {
        cJSON_AddStringToObject(out, "name", j->name);
        cJSON_AddStringToObject(out, "phase", j->phase);
        cJSON_AddNumberToObject(out, "share", j->share);
        const time_t until = j->state == JOB_RUNNING ? time(NULL) : j->ended;
        cJSON_AddNumberToObject(out, "seconds", difftime(until, j->started));
        cJSON_AddBoolToObject(out, "stopping", j->state == JOB_RUNNING && j->stop);
        if (j->live != NULL)
            cJSON_AddItemToObject(out, "live", cJSON_Duplicate(j->live, true));
        if (j->state == JOB_RUNNING)
            cJSON_AddStringToObject(out, "state", "running");
        else
            describe_end(j, out);
    }
    pthread_mutex_unlock(&all->lock);
    return j != NULL ? KITH_OK : no_such_job(number, error);
}

kith_status jobs_stop(jobs *all, unsigned number, kith_error *error)
{
    pthread_mutex_lock(&all->lock);
    job *j = find_job(all, number);
    if (j != NULL)
        j->stop = true;
    pthread_mutex_unlock(&all->lock);
    return j != NULL ? KITH_OK : no_such_job(number, error);
}
