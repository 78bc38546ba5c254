/* A simulation: a joint run with all its parties on this machine. simulate.c is the run from start
 * to end; its steps, in order:
 *
 *     simulate_split, simulate_study   how the table is split, and the study that the sites get
 *     simulate_files                   private directory and stage
 *     simulate_data, simulate_keys     each site's file, key and port
 *     simulate_processes or _threads   the run
 *     simulate_collect                 the joint release, assessed against the whole table
 *     simulate_baseline                what the sites reach without each other
 *     simulate_summary                 the documents */
#ifndef JOB_REHEARSE_SIMULATE_H
#define JOB_REHEARSE_SIMULATE_H

#include <kith/simulate.h>

#include "core/run/context.h"
#include "core/document.h"
#include "job/prepare/prepare.h"
#include "job/result/publication.h"
#include "job/rehearse/simulate_files.h"
#include "job/rehearse/simulate_split.h"
#include "job/rehearse/simulate_study.h"
#include "table/table_input.h"

/* One party: its files and its result. */
typedef struct simulate_endpoint {
    const char *key, *data;  /* files in the private directory; data NULL: a party without data */
    const char *directory;   /* for its results, in the stage */
    const char *rows;        /* publish: virtual: URI of its own rows, in that directory */
    const char *id_key;      /* pkg: its private key, in the private directory; NULL: none */
    uint64_t n_rows;         /* of its data */
    uint64_t peak_rss_bytes; /* of its process; 0 where it is a thread */
    kith_document *summary;  /* freed by simulate.c */
} simulate_endpoint;

/* The state of one call; each step fills what the later ones read. */
typedef struct simulation {
    const kith_study *study; /* the caller's */
    const kith_simulate_options *options;
    context context;
    /* The plan. */
    simulate_keys keys;
    simulate_split split;
    const protocol_module *protocol;
    uint32_t n_parties;
    simulate_party *parties;      /* [n_parties] as the sites' study lists them */
    simulate_endpoint *endpoints; /* [n_parties] */
    const char **names;           /* [n_parties] */
    const char *id_column; /* joins the rows of the sites; NULL: rows are aligned, or not split */
    bool add_id;           /* id_column is SIMULATE_ID, which the data does not have */
    /* The data. */
    simulate_files files;
    const kith_table *table;       /* the whole one */
    const kith_findings *findings; /* what to know of its columns */
    prepared prepared;
    const char *generator; /* pkg: parameters of the run's own key generator; NULL: none */
    /* The sites' study; NULL until made. */
    const char *text;
    kith_study *site_study;
} simulation;

/* simulate.c: copies the caller's options with their input, which lies in `input` then. */
kith_status simulate_options_take(kith_simulate_options *options, kith_input *input,
                                  const kith_simulate_options *theirs,
                                  kith_error *error) KITH_MUST_USE;

/* simulate.c: the caller's run, with all progress reported as that of one phase. `run` is valid as
 * long as the phase is. */
typedef struct simulate_phase {
    simulation *s;
    const char *name;
    kith_run run;
} simulate_phase;
void simulate_phase_begin(simulate_phase *p, simulation *s, const char *name);

/* simulate_data.c: reads and checks the whole table, then writes the part of each site. */
kith_status simulate_data_load(simulation *s, kith_error *error) KITH_MUST_USE;
kith_status simulate_data_write(simulation *s, kith_error *error) KITH_MUST_USE;
/* What stands in such a file for a missing cell, so that it is missing again when it is read: one
 * of the texts that the study takes for missing, NULL for an empty cell, which is preferred. */
const char *simulate_data_missing(const kith_study *study);

/* simulate_keys.c: keys for one run, and free ports of this machine. A study with `pkg` gets a key
 * generator of its own, since the real one has not issued keys to the sites. */
kith_status simulate_keys_make(simulation *s, kith_error *error) KITH_MUST_USE;
kith_status simulate_keys_generator(simulation *s, kith_error *error) KITH_MUST_USE;
kith_status simulate_keys_ports(simulation *s, kith_error *error) KITH_MUST_USE;

/* Both run all parties; the result is the error that came first, not those that it caused at other
 * parties. Threads also fill the summary of every endpoint.
 * simulate_processes.c: one process per party, over TLS. *again: a port was taken meanwhile, so the
 * run can be repeated with other ones. simulate_threads.c: one thread of this process per party. */
kith_status simulate_processes(simulation *s, bool *again, kith_error *error) KITH_MUST_USE;
kith_status simulate_threads(simulation *s, kith_error *error) KITH_MUST_USE;

/* The joint release of all sites. */
typedef struct simulate_result {
    publication publication; /* into the stage; wiped by simulate.c */
    output *summary;         /* summary.json in the stage */
    uint32_t *site_of;       /* [n_rows] site of each released row; NULL: rows do not show it */
    double *site_worst; /* [models about sites] NaN: the rows do not show it; NULL: none counted */
} simulate_result;

/* simulate_collect.c: puts the joint release together, writes it to the stage and assesses it
 * against the whole table. A release that breaks a model is KITH_BUG. */
kith_status simulate_collect(simulate_result *r, simulation *s, kith_error *error) KITH_MUST_USE;

/* What the sites reach alone. */
typedef struct simulate_baseline {
    assessment integrated;
    bool by_columns;         /* columns are split; then there is also: */
    assessment side_by_side; /* every site anonymizes its own columns */
    uint32_t failed; /* sites that cannot satisfy the models alone: their rows are suppressed */
} simulate_baseline;

/* simulate_baseline.c: each site anonymizes its part alone, and the results are put together by
 * record. */
kith_status simulate_baseline_run(simulate_baseline *b, simulation *s,
                                  kith_error *error) KITH_MUST_USE;

/* simulate_query.c: a query on the rows that the sites have written (publish: virtual). What can be
 * checked before the run. */
kith_status simulate_query_check(const simulation *s, kith_error *error) KITH_MUST_USE;

/* Lets a client ask all sites, each of them a thread, and adds {"query": {"text", "answer",
 * "exact", "seconds"}}; the exact answer comes from the whole table. */
kith_status simulate_query(simulation *s, kith_document *d, document_node *root,
                           kith_error *error) KITH_MUST_USE;

/* Seconds of the steps. */
typedef struct simulate_times {
    double load, run, verify, baseline, total;
} simulate_times;

/* simulate_summary.c: the companion of the joint release, and the summary that docs/summary.md
 * describes; `baseline` may be NULL. */
kith_status simulate_summary_meta(kith_document **meta, const simulation *s,
                                  const simulate_result *r, kith_error *error) KITH_MUST_USE;
kith_status simulate_summary(kith_document **summary, const simulation *s, const simulate_result *r,
                             const simulate_baseline *baseline, const simulate_times *seconds,
                             kith_error *error) KITH_MUST_USE;

/* The sum of a number in the summaries of all parties, and the maximum: NaN if none has it. */
double simulate_summary_total(const simulation *s, const char *path);
double simulate_summary_maximum(const simulation *s, const char *path);

#endif
