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

#endif
