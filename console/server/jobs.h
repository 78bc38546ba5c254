/* Work that takes longer than a request: threads with progress, which pages poll and may stop. */
#ifndef CONSOLE_SERVER_JOBS_H
#define CONSOLE_SERVER_JOBS_H

#include <cjson/cJSON.h>

#include <kith/run.h>
#include <kith/status.h>

typedef struct jobs jobs;
typedef struct job job;

jobs *jobs_new(void); /* NULL if out of memory */
/* Asks all to stop and waits for them. */
void jobs_free(jobs *all);

/* The work itself. It owns `input`, gives `run` to the library, and fills `result`. Where the page
 * asked to stop, `run->progress` says so to the library. */
typedef kith_status job_work(job *self, void *input, const kith_run *run, cJSON *result,
                             kith_error *error);

/* Starts a thread and adds its number to `out` as "job". `name` is a word for people; `free_input`
 * is called when the work is over, or if it could not start. At most 8 run at the same time. */
kith_status jobs_start(jobs *all, const char *name, job_work *work, void *input,
                       void (*free_input)(void *), cJSON *out, kith_error *error);

/* What a page may show while the work goes on: replaces what was told before. Takes `live` over. */
void job_tell(job *self, cJSON *live);
/* Whether the page asked to stop, for work that makes several calls. */
bool job_stopped(job *self);

/* {"name", "state": "running", "done", "failed" or "stopped", "phase", "share", "seconds", "live",
 * "result", "error", "hint", "kind"}; what does not apply is left out. The results of the last 32
 * that ended are kept. */
kith_status jobs_describe(jobs *all, unsigned number, cJSON *out, kith_error *error);
kith_status jobs_stop(jobs *all, unsigned number, kith_error *error);

#endif
