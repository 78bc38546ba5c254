/* What Kith does with one table on this machine. */
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

/* Anonymizes a table in memory. The release is a table with the study's columns in the order of
 * `table` without the identifying ones; its rows keep the input's order. `summary` (may be NULL)
 * receives what docs/summary.md lists. Both are freed by the caller. The release has been verified
 * by code that shares nothing with the search. */
KITH_API KITH_MUST_USE kith_status kith_anonymize_table(const kith_study *study,
                                                        const kith_table *table,
                                                        const kith_run *run, kith_table **release,
                                                        kith_document **summary, kith_error *error);

typedef struct kith_anonymize_options {
    const char *input;  /* data URI */
    const char *output; /* data URI; its companion OUTPUT.meta.json is written beside a file */
    char separator;     /* of input and output; 0: detect, and write what was read */
    bool overwrite;
    bool shuffle; /* put the rows of the release in random order (not from the seed) */
    bool explain; /* add `explain` to the summary: which models keep the classes from being finer */
    const char *mapping; /* file for what became of every record, readable by its owner only; NULL:
                            none. Confidential: it undoes the release */
    const char *lattice; /* where the searched lattice is written, tab-separated; or NULL. For the
                            site's own files, and only with searches of a lattice */
} kith_anonymize_options;

/* The whole job from source to verified release: reads, searches, writes to a temporary place,
 * verifies what was written, and only then makes it appear. */
KITH_API KITH_MUST_USE kith_status kith_anonymize(const kith_study *study,
                                                  const kith_anonymize_options *options,
                                                  const kith_run *run, kith_document **summary,
                                                  kith_error *error);

/* Do all privacy models of the study hold in this release? `verdict` receives each model with the
 * worst value found and where; "holds" is the overall answer. With `data_uri` (may be NULL) it also
 * checks that every released cell covers the original one. A release that does not hold is not an
 * error: the call returns KITH_OK and the verdict says no. */
KITH_API KITH_MUST_USE kith_status kith_verify(const kith_study *study, const char *release_uri,
                                               const char *data_uri, char separator,
                                               const kith_run *run, kith_document **verdict,
                                               kith_error *error);

/* Utility and risk of a release, before and after, also per attribute. */
KITH_API KITH_MUST_USE kith_status kith_measure(const kith_study *study, const char *data_uri,
                                                const char *release_uri, char separator,
                                                const kith_run *run, kith_document **report,
                                                kith_error *error);

/* Columns, distinct values, uniqueness, re-identification risk, suggested roles. `study` may be
 * NULL; with it the quasi-identifiers are the study's. */
KITH_API KITH_MUST_USE kith_status kith_describe(const char *data_uri, const kith_study *study,
                                                 char separator, const kith_run *run,
                                                 kith_document **description, kith_error *error);

/* Writes synthetic data of a profile (hospital, adult, survey) to a CSV file, with
 * `<name>.study.yaml` and `hierarchies/` beside it. Under a seed the same bytes come out again. */
KITH_API KITH_MUST_USE kith_status kith_generate(const char *profile, uint64_t rows,
                                                 const char *output, bool overwrite,
                                                 const kith_run *run, kith_document **summary,
                                                 kith_error *error);

#ifdef __cplusplus
}
#endif
#endif
