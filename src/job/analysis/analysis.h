/* What analysts ask about a release: do its numbers, its associations and its classifiers still
 * say the same? */
#ifndef JOB_ANALYSIS_ANALYSIS_H
#define JOB_ANALYSIS_ANALYSIS_H

#include "core/document.h"
#include "job/assess/assess.h"
#include "measure/naive_bayes.h"
#include "measure/statistics.h"

/* How often values and texts of a quasi-identifier occur, on all ranks together. */
typedef struct analysis_column {
    const uint64_t *records; /* [leaves] that have each value, by position; unknown ones apart */
    uint32_t n_texts;
    const dictionary *texts;
    const uint64_t *rows;    /* [n_texts + 1] that show each text; the last: nothing */
    const query_cell *cells; /* [n_texts + 1] what they show, if there is such a row */
} analysis_column;

/* A release and the data that it was made from. Several ranks each have a slice of both, in the
 * same order; dictionaries are those of the whole then, and what is found out is, too. */
typedef struct analysis {
    const prepared *data;
    const kith_table *texts;        /* the release */
    const verify_report *report;    /* with the classes of these rows, complete or not */
    assess_cells shown;             /* from assess_shown */
    const analysis_column *columns; /* [attributes] */
    bool in_order;                  /* row i of the release is record i */
    uint64_t first_record;          /* the place of the first one here among those of all ranks */
} analysis;

/* analysis.c */
kith_status analysis_make(analysis *a, const prepared *p, const kith_table *texts,
                          const verify_report *report, bool in_order, uint64_t first_record,
                          context *c, kith_error *error) KITH_MUST_USE;

/* Statistics of one quasi-identifier that is a number. */
typedef struct number_report {
    const char *name;
    statistics before, after;
    double lost_variance; /* of a column that shows means: SSE / SST; NaN for others */
} number_report;

typedef struct numbers_report {
    uint32_t count;
    number_report *columns; /* [count] */
} numbers_report;

/* numbers.c: a released cell counts as the middle of its interval: that of its label ("20-24",
 * "[20, 22.5)"), or else that of the lowest and the highest value that it covers. Cells that cover
 * all values, and missing ones, say nothing and are left out. A mean counts as itself; rows are in
 * order where there is one. */
kith_status numbers_assess(numbers_report *report, const analysis *a, context *c,
                           kith_error *error) KITH_MUST_USE;
void numbers_put(kith_document *d, document_node *root, const numbers_report *report);

/* How the values of a quasi-identifier are distributed, in a few bins. */
enum { DISTRIBUTION_BINS = 12 };
typedef struct distribution_bin {
    const char *label;
    double before, after; /* shares of the records whose value is known */
} distribution_bin;

typedef struct distribution {
    const char *name;
    uint32_t n_bins;
    distribution_bin bins[DISTRIBUTION_BINS];
} distribution;

typedef struct distributions_report {
    uint32_t count;
    distribution *columns; /* [count] */
} distributions_report;

/* distributions.c: numbers and dates in bins of neighbouring values, others by the most frequent
 * ones of the data. A released cell counts for all its values in equal parts. */
kith_status distributions_assess(distributions_report *report, const analysis *a, context *c,
                                 kith_error *error) KITH_MUST_USE;
void distributions_put(kith_document *d, document_node *root, const distributions_report *report);

/* Two columns, of which at least one is quasi-identifying, and their Cramér's V. */
typedef struct pair_report {
    const char *one, *other;
    double before, after;
} pair_report;

typedef struct pairs_report {
    uint32_t count;
    pair_report *pairs; /* [count] */
    /* Pairs whose V is at least PAIRS_THRESHOLD before; those among them that keep at least half of
     * it; and pairs whose V was below the threshold before and is above it, and at least doubled,
     * after. */
    uint32_t n_associated, n_surviving, n_created;
} pairs_report;

#define PAIRS_THRESHOLD 0.1
enum { PAIRS_MAX_COLUMNS = 200 };

/* pairs.c: all pairs of released columns of which at least one is quasi-identifying. Values are put
 * into at most five bins (measure/association.h); a released cell counts for all its values in
 * equal parts. Of more than PAIRS_MAX_COLUMNS columns the first ones are taken. */
kith_status pairs_assess(pairs_report *report, const analysis *a, context *c,
                         kith_error *error) KITH_MUST_USE;
void pairs_put(kith_document *d, document_node *root, const pairs_report *report);

typedef struct classify_report {
    const char *column;
    uint32_t n_folds;
    bool in_order;
    bayes_report result;
} classify_report;

/* classify.c: how well the column `name`, which the release shows as it is, can be predicted from
 * the quasi-identifiers. KITH_INVALID if there is no such column, or if it is generalized. */
kith_status classify_assess(classify_report *report, const analysis *a, const char *name,
                            context *c, kith_error *error) KITH_MUST_USE;
void classify_put(kith_document *d, document_node *root, const classify_report *report);

#endif
