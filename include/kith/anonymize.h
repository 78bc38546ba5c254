/* What Kith does with one table on this machine.
 *
 * Data is named by a URI, or handed over as a table in memory (the members *_table): one of both. A
 * table in memory gives what a file with the same cells would, whatever types its columns have;
 * messages call it "the table" unless it was read from a file. */
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

typedef struct kith_try_options {
    size_t size;
    const char *input; /* data URI */
    char separator;    /* 0: detect */
    /* Values to try, "k=3,5,10": a key of the studies by its path, keys joined by dots
     * ("utility.suppression", "privacy.0.k", "columns.age.type"), or the name of a parameter that
     * only one privacy model has. */
    const char *const *sets;
    size_t n_sets;
    const kith_csv_options *csv;   /* of the input, as for kith_table_read; may be NULL */
    const kith_table *input_table; /* a table in memory, instead of `input` */
} kith_try_options;

/* Anonymizes the data in memory under every study and every combination of the values, and tells
 * loss and risk of each; nothing is written. The rows of `result` (docs/summary.md) come in the
 * order of the studies, then of the values, the last key changing fastest. A combination that is
 * refused or infeasible is a row with the reason. If the progress function asks to stop, rows that
 * are not finished say so, and the call returns KITH_CANCELLED only if there is no other. */
KITH_API KITH_MUST_USE kith_status kith_try(kith_document **result,
                                            const kith_study *const *studies, size_t n_studies,
                                            const kith_try_options *options, const kith_run *run,
                                            kith_error *error);

/* The study of one row, from 1, with its comments: the text of the study that it comes from, in
 * which only the values of the row are changed. KITH_INVALID if the text would mean something else
 * in a file of `directory`, because it names other files by relative paths; NULL: that is not
 * checked. The options' `input` is not needed. Release the text with kith_free. */
KITH_API KITH_MUST_USE kith_status kith_try_study(char **text, const kith_study *const *studies,
                                                  size_t n_studies, size_t row,
                                                  const char *directory,
                                                  const kith_try_options *options,
                                                  kith_error *error);

typedef struct kith_verify_options {
    size_t size;
    const char *release; /* data URI */
    const char *data;    /* data URI of what the release was made from; NULL: that is not checked */
    char separator;      /* of all; 0: detect */
    const kith_csv_options *csv; /* of the data; a release is UTF-8 with a header */
    /* Tables in memory, instead of `release` and `data`. */
    const kith_table *release_table;
    const kith_table *data_table;
    size_t data_separator; /* a character, of the data alone; 0: `separator` */
    /* The mapping that kith_anonymize wrote with the release, as a URI or as a table in memory: its
     * columns confidential_row and release_row say whose row is whose. With data only; without one
     * the rows are in the order of the data, or are looked for. */
    const char *mapping;
    const kith_table *mapping_table;
    /* Memory that the run may take: "500MB". A release that needs more, with the data, is verified
     * from the disk; KITH_INVALID names what takes all rows in memory. NULL: no limit. */
    const char *memory;
} kith_verify_options;

/* Do all privacy models of the study hold in this release? `verdict` receives each model with the
 * worst value found and where; "holds" is the overall answer. With data it also checks that every
 * released cell covers the original one. A release that does not hold is not an error: the call
 * returns KITH_OK and the verdict says no. */
KITH_API KITH_MUST_USE kith_status kith_verify(kith_document **verdict, const kith_study *study,
                                               const kith_verify_options *options,
                                               const kith_run *run, kith_error *error);

typedef struct kith_measure_options {
    size_t size;
    const char *data;    /* data URI */
    const char *release; /* data URI */
    char separator;      /* of both; 0: detect */
    /* Random counting queries whose error is measured, at most 10 million; 0: none. They are drawn
     * from the seed of the run. */
    size_t n_queries;
    /* A sensitive or insensitive column that a classifier is to predict, trained on the data and on
     * the release; NULL: none. Folds are drawn from the seed of the run. */
    const char *classify;
    const kith_csv_options *csv; /* of the data, as for kith_verify */
    /* The number of records of which the data is a sample, or below 1 the share of them that it
     * has; 0: what the study says. */
    double population;
    /* A numeric column of the data: how many of these each record stands for; NULL: all stand for
     * equally many. */
    const char *weights;
    /* Special uniques are looked for in sets of so many quasi-identifiers, at most 6; 0: not. */
    size_t special_uniques;
    /* Tables in memory, instead of `data` and `release`. */
    const kith_table *data_table;
    const kith_table *release_table;
    size_t data_separator; /* a character, of the data alone; 0: `separator` */
    /* The mapping of the release, as for kith_verify. */
    const char *mapping;
    const kith_table *mapping_table;
} kith_measure_options;

/* Utility and risk of a release, before and after, also per attribute. If the study asks for a
 * sample, the mapping must be given, or the seed of the run that made the release: it draws the
 * records again. */
KITH_API KITH_MUST_USE kith_status kith_measure(kith_document **report, const kith_study *study,
                                                const kith_measure_options *options,
                                                const kith_run *run, kith_error *error);

typedef struct kith_describe_options {
    size_t size;
    const char *data;        /* data URI */
    const kith_study *study; /* whose quasi-identifiers are taken; NULL: the suggested ones */
    char separator;          /* of the data; 0: detect */
    const char *known; /* attack an encrypted view by these records (URI); "": half the data */
    const kith_csv_options *csv; /* of the input, as for kith_table_read; may be NULL */
    /* Tables in memory, instead of `data` and `known`. */
    const kith_table *data_table;
    const kith_table *known_table;
} kith_describe_options;

/* Columns, distinct values, uniqueness, re-identification risk, suggested roles. */
KITH_API KITH_MUST_USE kith_status kith_describe(kith_document **description,
                                                 const kith_describe_options *options,
                                                 const kith_run *run, kith_error *error);

typedef struct kith_generate_options {
    size_t size;
    const char *profile; /* "hospital", "adult" or "survey" */
    uint64_t n_rows;
    const char *output; /* CSV file, or "-" */
    bool overwrite;
} kith_generate_options;

/* Writes synthetic data of a profile to a CSV file, with `<name>.study.yaml` and `hierarchies/`
 * next to it. Under a seed the same bytes come out again. `summary` may be NULL. */
KITH_API KITH_MUST_USE kith_status kith_generate(kith_document **summary,
                                                 const kith_generate_options *options,
                                                 const kith_run *run, kith_error *error);

#ifdef __cplusplus
}
#endif
#endif
