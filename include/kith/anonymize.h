/* What Kith does with one table on this machine.
 *
 * Data is named by a URI, or handed over as a table in memory (the members *_table): one of both. A
 * table in memory gives what a file with the same cells would, whatever types its columns have;
 * messages call it "the table" unless it was read from a file. */
#ifndef KITH_ANONYMIZE_H
#define KITH_ANONYMIZE_H

#include <stdbool.h>
#include <stddef.h>

#include <kith/document.h>
#include <kith/run.h>
#include <kith/status.h>
#include <kith/study.h>
#include <kith/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Anonymizes a table in memory. The release is a table with the study's columns in the order of
 * `table` without the identifying ones; its rows are sorted by their cells, so that their order
 * says nothing about the records (kith_anonymize can keep it). `summary` (may be NULL) receives
 * what docs/summary.md lists. Both are freed by the caller. The release has been verified, row by
 * row before it was sorted, by code that shares nothing with the search. */
KITH_API KITH_MUST_USE kith_status kith_anonymize_table(kith_table **release,
                                                        kith_document **summary,
                                                        const kith_study *study,
                                                        const kith_table *table,
                                                        const kith_run *run, kith_error *error);

/* A run that is about to publish its release. */
typedef struct kith_review {
    size_t size;
    const kith_document *summary;
    const kith_table *data;    /* as it was read */
    const kith_table *release; /* its rows in the order of the data */
    const char *lattice;       /* where the searched lattice can be read by now; or NULL */
} kith_review;

typedef kith_status (*kith_review_fn)(void *user, const kith_review *about, kith_error *error);

typedef struct kith_anonymize_options {
    size_t size;
    const char *input;  /* data URI */
    const char *output; /* data URI; its companion OUTPUT.meta.json is written next to a file */
    char separator;     /* of input and output; 0: detect, and write what was read */
    bool overwrite;
    bool shuffle; /* put the rows of the release in random order (not from the seed) instead of
                     sorting them by their cells */
    bool explain; /* add `explain` to the summary: which models keep the classes from being finer */
    const char *mapping; /* file for what became of every record, readable by its owner only; NULL:
                            none. Confidential: it undoes the release */
    const char *lattice; /* where the searched lattice is written, tab-separated; or NULL. For the
                            site's own files, and only with searches of a lattice */
    const kith_csv_options *csv; /* of the input, as for kith_table_read; may be NULL */
    /* Memory that the run may take, as the study's key `memory`: "500MB"; NULL: what the study
     * says. */
    const char *memory;
    /* Called when the release is complete and verified but has not appeared: for what must be about
     * the same rows, such as an internal report. An error is that of the run, and no release
     * appears. Only where all rows are in memory: KITH_INVALID over ranks and for tables larger
     * than `memory`. May be NULL. */
    kith_review_fn review;
    void *review_user;
    /* A table in memory, instead of `input`, and where its release goes, instead of `output`. */
    const kith_table *input_table;
    kith_table **output_table;
    /* 1: leave the rows in the order of the data; 0: do not. That order may tell which records a
     * row can stand for: `warnings` of the summary says so. */
    size_t keep_order;
    /* File for the summary, readable by its owner only. It appears with the release, or neither
     * does. NULL: none. */
    const char *summary;
} kith_anonymize_options;

/* The whole job from source to verified release: reads, searches, writes to a temporary place,
 * verifies what was written, and only then makes it appear. `summary` may be NULL. */
KITH_API KITH_MUST_USE kith_status kith_anonymize(kith_document **summary, const kith_study *study,
                                                  const kith_anonymize_options *options,
                                                  const kith_run *run, kith_error *error);

#ifdef __cplusplus
}
#endif
#endif
