/* From a table to a release that keeps what a study promises. */
#ifndef KITH_ANONYMIZE_H
#define KITH_ANONYMIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kith/document.h>
#include <kith/run.h>
#include <kith/status.h>
#include <kith/study.h>
#include <kith/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Anonymizes a table in memory. The release has been verified, row by row before it was sorted, by
 * code that shares nothing with the search.
 * Returns: KITH_OK, KITH_INFEASIBLE if the study's models cannot be kept on this table, KITH_DATA if
 * the table does not fit the study, KITH_CANCELLED.
 * Out: *release, freed by kith_table_free: the study's columns in the order of `table` without the
 * identifying ones, its rows sorted by their cells, so that their order says nothing about the
 * records. *summary (may be NULL), freed by kith_document_free: what docs/summary.md lists.
 * In: `table`, with the types of the study (kith_study_table_options); `run` (may be NULL). */
KITH_API KITH_MUST_USE kith_status kith_anonymize_table(kith_table **release,
                                                        kith_document **summary,
                                                        const kith_study *study,
                                                        const kith_table *table,
                                                        const kith_run *run, kith_error *error);

/* A run that is about to publish its release. All belongs to the run. */
typedef struct kith_review {
    size_t size;
    const kith_document *summary;
    const kith_table *data;    /* as it was read */
    const kith_table *release; /* its rows in the order of the data */
    const char *lattice;       /* where the searched lattice can be read by now; or NULL */
} kith_review;

/* Returns KITH_OK for the release to appear, else the status of the run, with `error` filled. */
typedef kith_status (*kith_review_fn)(void *user, const kith_review *about, kith_error *error);

typedef struct kith_anonymize_options {
    size_t size;
    const kith_input *input; /* its separator is that of the output, too; detected, what was read */
    const char *output; /* data URI; its companion OUTPUT.meta.json is written next to a file */
    kith_table **output_table; /* where the release goes instead if the input is a table */
    bool overwrite;
    bool shuffle;    /* put the rows of the release in random order (not from the seed) instead of
                     sorting them by their cells */
    bool keep_order; /* leave the rows in the order of the data, which may tell the records that a
                        row can stand for: `warnings` of the summary says so */
    bool explain; /* add `explain` to the summary: which models keep the classes from being finer */
    const char *mapping; /* file for what became of every record, readable by its owner only; NULL:
                            none. Confidential: it undoes the release */
    const char *lattice; /* where the searched lattice is written, tab-separated; or NULL. For the
                            site's own files, and only with searches of a lattice */
    const char *summary; /* file for the summary, readable by its owner only. It appears with the
                            release, or neither does. NULL: none */
    uint64_t memory_bytes; /* that the run may take, at least 1,000,000; 0: what the study says */
    /* Called when the release is complete and verified but has not appeared: for what must be about
     * the same rows, such as an internal report. An error is that of the run, and no release
     * appears. Only where all rows are in memory: KITH_INVALID over ranks and for tables larger
     * than `memory_bytes`. May be NULL. */
    kith_review_fn review;
    void *review_user;
} kith_anonymize_options;

/* The whole job from source to verified release: reads, searches, writes to a temporary place,
 * verifies what was written, and only then makes it appear.
 * Returns: KITH_OK, KITH_INFEASIBLE if the study's models cannot be kept on this data, KITH_DATA if
 * the data does not fit the study, KITH_CANCELLED, or why it could not be read or written; no
 * release appears then.
 * Out: *summary (may be NULL), freed by kith_document_free: what docs/summary.md lists; what
 * `options` names. In: `options` with an input and a place for the release; `run` (may be NULL). */
KITH_API KITH_MUST_USE kith_status kith_anonymize(kith_document **summary, const kith_study *study,
                                                  const kith_anonymize_options *options,
                                                  const kith_run *run, kith_error *error);

#ifdef __cplusplus
}
#endif
#endif
