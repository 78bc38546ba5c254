/* Joint runs with all their parties on this machine, and what they would cost. */
#ifndef KITH_SIMULATE_H
#define KITH_SIMULATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kith/document.h>
#include <kith/run.h>
#include <kith/status.h>
#include <kith/study.h>
#include <kith/table.h>
#include <kith/unstable.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A joint run with all its parties on this machine. */
typedef struct kith_simulate_options {
    size_t size;
    const kith_input *input; /* the whole table */
    uint32_t n_sites;        /* that hold data: 2 to 128; an external master comes on top */
    uint32_t delay_ms;       /* one-way delay of every message */
    const char *split;       /* "rows", "hash:COL", "by:COL", "columns:a,b/c,d", "2x2"; NULL: rows
                              * are distributed at random, columns evenly in order */
    const char *directory;   /* one folder per site, and the joint release.csv and summary.json */
    const char *executable;  /* program that understands `party`: one process per site, over TLS;
                             * NULL: threads of this process */
    const char *query;       /* publish: virtual: asked of the sites after the run; NULL: none */
    bool compress;
    bool baseline; /* also: each site alone, put together */
    bool overwrite;
} kith_simulate_options;

/* Splits the table, replaces the parties of the study (it may have none) by site1 … siteN with
 * throw-away keys, runs all, and measures the joint release against the whole table. */
KITH_API KITH_MUST_USE kith_status kith_simulate(kith_document **summary, const kith_study *study,
                                                 const kith_simulate_options *options,
                                                 const kith_run *run, kith_error *error);

/* Runs every protocol that fits on the same table, as kith_simulate does (`baseline` means
 * nothing here; without `directory` nothing is kept), and the two bounds: all data
 * in one place, and each site alone. `comparison` receives one object per way: what docs/summary.md
 * lists. A protocol that cannot serve the study has its reason in the place of figures. */
KITH_API KITH_MUST_USE kith_status kith_compare(kith_document **comparison, const kith_study *study,
                                                const kith_simulate_options *options,
                                                const kith_run *run, kith_error *error);

/* What a joint run would cost. */
typedef struct kith_estimate_options {
    size_t size;
    const kith_input *input; /* a table with all columns of the study: one's own, a sample, or
                                synthetic; under a URI */
    uint64_t n_records;      /* of all sites together; 0: those of the input */
    const char *split;       /* as for kith_simulate */
    uint32_t n_sites;        /* that hold data; 0: as many as the study has */
    uint32_t latency_ms;     /* one-way, of a network of one's own; with `megabits` 0: none */
    double megabits;         /* per second and party, of that network */
} kith_estimate_options;

/* Rehearses the study's protocol on records drawn from the input, in threads of this process, and
 * says what the run would take on a local and a wide network: what docs/summary.md lists. Nothing
 * leaves this machine. */
KITH_API KITH_MUST_USE kith_status kith_estimate(kith_document **estimate, const kith_study *study,
                                                 const kith_estimate_options *options,
                                                 const kith_run *run, kith_error *error);

#ifdef __cplusplus
}
#endif
#endif
