/* One anonymization: load, search, write, assess, commit. The steps are the same wherever the rows
 * are; what they do there is a `rows_place`: in memory, on disk, or on several ranks. */
#ifndef JOB_PIPELINE_PIPELINE_H
#define JOB_PIPELINE_PIPELINE_H

#include <kith/anonymize.h>

#include "core/run/context.h"
#include "job/prepare/prepare.h"
#include "job/result/publication.h"
#include "job/result/summary.h"

typedef struct pipeline pipeline;

/* The steps, in the order in which they are called. Each fills the pipeline for those behind it. */
typedef struct rows_place {
    /* Refuses by name what cannot be done there, before anything is read. */
    kith_status (*check)(const pipeline *p, kith_error *error);
    /* Reads the data and turns it into p->prepared, of which a place without all rows in memory has
     * trees, costs and models, but no records. */
    kith_status (*load)(pipeline *p, kith_error *error);
    /* Opens the release, so that what cannot be written is an error before the search. */
    kith_status (*open)(pipeline *p, kith_error *error);
    kith_status (*search)(pipeline *p, kith_error *error);
    /* Makes the release and assesses it. It is not visible yet. */
    kith_status (*write)(pipeline *p, kith_error *error);
    /* Writes what stands beside it. */
    kith_status (*accompany)(pipeline *p, kith_error *error);
    /* Shows the caller what was read and is about to appear, if that is asked for. NULL: `check`
     * refuses it. */
    kith_status (*review)(pipeline *p, const kith_document *summary, kith_error *error);
    /* Lets everything appear. */
    kith_status (*commit)(pipeline *p, kith_error *error);
    /* The end in any case: frees what the context does not own, and returns how the run has ended.
     * NULL: there is nothing to be done. */
    kith_status (*end)(pipeline *p, kith_status status, kith_error *error);
} rows_place;

extern const rows_place rows_in_memory;  /* rows_in_memory.c */
extern const rows_place rows_on_disk;    /* rows_on_disk.c */
extern const rows_place rows_over_ranks; /* rows_over_ranks.c */

/* The state of one run; each step fills what the later ones read. */
struct pipeline {
    const kith_study *study;
    const kith_anonymize_options *options;
    context *context;
    uint64_t memory_bytes;   /* that the rows may take; 0: no limit */
    const kith_table *table; /* what was read: its columns, and such rows as are in memory */
    prepared prepared;
    search_result result;
    publication publication; /* the release unless ranks write it */
    output *lattice;         /* NULL unless asked for */
    output *summary;         /* the same; over ranks that of the first one */
    job_outcome outcome;
    double begun, since; /* start of the run, and of the present phase */
    void *rows;          /* what the place knows of them */
};

/* Everything, from the data to the commit. A progress function may stop the run while it is
 * `stoppable`. `summary` may be NULL; it is made before the commit, so that a failure to make it
 * leaves no release. */
kith_status pipeline_run(kith_document **summary, const rows_place *place, pipeline *p,
                         bool stoppable, kith_error *error) KITH_MUST_USE;

/* CANCELLED if the caller wants to stop before this step. */
kith_status pipeline_may_go_on(pipeline *p, const char *step, kith_error *error) KITH_MUST_USE;

/* What separates the cells of the release: as the caller says, else as in the data. */
char pipeline_separator(const pipeline *p);

/* The steps of places that write one release, in this process. */
kith_status pipeline_open(pipeline *p, kith_error *error);
kith_status pipeline_accompany(pipeline *p, kith_error *error);
kith_status pipeline_commit(pipeline *p, kith_error *error);

#endif
