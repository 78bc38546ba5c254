/* A simulation inside: what its steps hand on to each other. */
#ifndef JOB_SIMULATE_SIMULATE_H
#define JOB_SIMULATE_SIMULATE_H

#include <kith/party.h>

#include "core/context.h"
#include "core/document.h"
#include "job/prepare/prepare.h"
#include "job/result/publication.h"
#include "job/simulate/simulate_files.h"
#include "job/simulate/simulate_split.h"
#include "job/simulate/simulate_study.h"

/* One party, its files, and what became of it. */
typedef struct simulate_seat {
    const char *key, *data; /* files in the private directory; data NULL: it holds none */
    const char *directory;  /* in the stage */
    uint64_t n_rows;        /* of its data */
    kith_status status;
    kith_error error;
    uint64_t peak_rss_bytes; /* of its process; 0 where it is a thread */
    kith_document *summary;  /* freed by simulate.c */
} simulate_seat;

typedef struct simulation {
    const kith_study *study;
    const kith_simulate_options *options;
    context context;
    simulate_keys keys;
    simulate_split split;
    protocol_id protocol;
    uint32_t n_parties;
    simulate_party *parties; /* [n_parties] as the sites' study lists them */
    simulate_seat *seats;    /* [n_parties] */
    const char **names;      /* [n_parties] */
    simulate_files files;
    const char *id_column; /* by which rows are joined; NULL: not, or they are aligned */
    bool add_id;           /* it is SIMULATE_ID */
    kith_table *table;     /* the whole one */
    prepared prepared;
    const char *text;       /* of the sites' study */
    kith_study *site_study; /* NULL until made */
} simulation;

/* simulate.c: the caller's options as a copy of full size. */
kith_status simulate_options_take(kith_simulate_options *options,
                                  const kith_simulate_options *theirs,
                                  kith_error *error) KITH_MUST_USE;

/* simulate.c: a run like the caller's whose progress is told as that of one phase. */
typedef struct simulate_phase {
    simulation *s;
    const char *name;
    kith_run run;
} simulate_phase;
void simulate_phase_begin(simulate_phase *p, simulation *s, const char *name);

/* simulate_data.c: reads and checks the whole table, then writes the part of each site. */
kith_status simulate_data_load(simulation *s, kith_error *error) KITH_MUST_USE;
kith_status simulate_data_write(simulation *s, kith_error *error) KITH_MUST_USE;

/* simulate_keys.c: throw-away keys, and ports on which nobody listens. */
kith_status simulate_keys_make(simulation *s, kith_error *error) KITH_MUST_USE;
kith_status simulate_keys_ports(simulation *s, kith_error *error) KITH_MUST_USE;

/* Runs all parties; every seat then has its status, error and summary, and the result is the first
 * cause of a failure. simulate_processes.c: with one process each, over TLS; *again if a port was
 * taken meanwhile. simulate_threads.c: in threads of this process. */
kith_status simulate_processes(simulation *s, bool *again, kith_error *error) KITH_MUST_USE;
kith_status simulate_threads(simulation *s, kith_error *error) KITH_MUST_USE;

/* The joint release of all sites. */
typedef struct simulate_result {
    publication publication; /* into the stage; wiped by simulate.c */
    output *summary;         /* summary.json in the stage */
    uint32_t *site_of;       /* [n_rows] site of each released row; NULL: rows do not show it */
    double *site_worst; /* [models about sites] NaN: cannot be counted; NULL: none can, or none */
} simulate_result;

/* simulate_collect.c: puts the joint release together, writes it to the stage and assesses it
 * against the whole table. A release that breaks a model is KITH_BUG. */
kith_status simulate_collect(simulate_result *r, simulation *s, kith_error *error) KITH_MUST_USE;

/* simulate_site_models.c: counts the models about sites in the rows where site_of is known. One
 * that does not hold is KITH_BUG. */
kith_status simulate_site_models_check(simulate_result *r, simulation *s,
                                       kith_error *error) KITH_MUST_USE;

/* Releases of single sites, put together and judged. */
typedef struct simulate_together {
    verify_report verified;
    loss_report loss;
} simulate_together;

/* What the sites reach alone. */
typedef struct simulate_baseline {
    simulate_together integrated;
    bool by_columns;                /* then there is also: */
    simulate_together side_by_side; /* every site anonymizes its own columns */
    uint32_t failed; /* sites that cannot keep the models alone: their rows are suppressed */
} simulate_baseline;

/* simulate_baseline.c: each site anonymizes its part alone, and the results are put together by
 * record. */
kith_status simulate_baseline_run(simulate_baseline *b, simulation *s,
                                  kith_error *error) KITH_MUST_USE;

/* Seconds of the steps. */
typedef struct simulate_times {
    double load, run, verify, baseline, total;
} simulate_times;

/* simulate_summary.c: the companion of the joint release, and what docs/summary.md lists;
 * `baseline` may be NULL. */
kith_status simulate_summary_meta(kith_document **meta, const simulation *s,
                                  const simulate_result *r, kith_error *error) KITH_MUST_USE;
kith_status simulate_summary(kith_document **summary, const simulation *s, const simulate_result *r,
                             const simulate_baseline *baseline, const simulate_times *seconds,
                             kith_error *error) KITH_MUST_USE;

/* simulate_phases.c: adds "phases", for the encrypted view only: what its cost model says
 * beforehand beside what happened. */
kith_status simulate_phases(kith_document *d, document_node *parent, const simulation *s,
                            kith_error *error) KITH_MUST_USE;

#endif
