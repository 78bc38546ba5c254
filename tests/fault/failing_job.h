/* A job while memory fails: how it may end. */
#ifndef FAULT_FAILING_JOB_H
#define FAULT_FAILING_JOB_H

#include "support/failing_memory.h"

/* Runs a job of which allocation n fails (and all behind it); it leaks nothing and ends with
 * success or with KITH_NOMEM, which is returned. */
static inline kith_status failing_job(kith_status (*job)(kith_error *), size_t n,
                                      bool from_there_on)
{
    kith_error error = {0};
    failing_begin(n, from_there_on);
    kith_status status = job(&error);
    size_t leaked = failing_end();
    if (leaked != 0)
        fail_msg("allocation %zu: %zu blocks leaked", n, leaked);
    if (status != KITH_OK && status != KITH_NOMEM)
        fail_msg("allocation %zu: %s, %s", n, kith_status_name(status), error.message);
    return status;
}

/* Lets allocations of a job fail, of `all`, each alone or with all behind it. Returns how many were
 * tried; `refused` counts those that ended the job. `clear`, if not NULL, removes what it left. */
static inline size_t failing_job_often(kith_status (*job)(kith_error *), size_t all,
                                       bool from_there_on, size_t *refused, void (*clear)(void))
{
    const size_t stride = failing_stride(6);
    size_t tried = 0;
    *refused = 0;
    for (size_t n = from_there_on ? 1 : 1 + stride / 2; n <= all; n += stride) {
        *refused += failing_job(job, n, from_there_on) == KITH_NOMEM;
        tried++;
        if (clear != NULL)
            clear();
    }
    return tried;
}

#endif
