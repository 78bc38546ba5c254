/* Anonymizes one table after another in memory, several at a time, and keeps the summaries. */
#ifndef JOB_TRY_TRY_RUN_H
#define JOB_TRY_TRY_RUN_H

#include "core/run/context.h"

#include <kith/document.h>
#include <kith/study.h>

typedef enum try_outcome {
    TRY_MISSING,    /* was not begun, or was stopped */
    TRY_RELEASED,   /* has a verified release, which the summary describes */
    TRY_REFUSED,    /* the study or the data does not allow it */
    TRY_INFEASIBLE, /* the models cannot be met */
    TRY_FAILED      /* something that has nothing to do with the row: out of memory, say */
} try_outcome;

/* Study and table are set before the run; a row that has an outcome then is left alone. */
typedef struct try_row {
    const kith_study *study;
    const kith_table *table;
    try_outcome outcome;
    kith_document *summary; /* of kith_anonymize_table, only if released */
    kith_error why;         /* unless released or missing */
} try_row;

/* Runs all rows with the same seed, so that they differ by their settings and not by luck. Each row
 * is worked on by one thread, or by more if there are fewer rows than threads, which changes
 * nothing but the time. Where the progress function asks to stop, rows that are not finished stay
 * TRY_MISSING. */
void try_run(try_row *rows, size_t n_rows, context *c);

/* What a status means for a row. */
try_outcome try_run_outcome(kith_status status);

#endif
