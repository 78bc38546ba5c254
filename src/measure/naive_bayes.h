/* How well a simple classifier learns from a release: naive Bayes, trained on the data or on the
 * release, tested on original records that it has not seen (cross-validation).
 *
 * The features are the quasi-identifiers. A released cell counts for each of its values in equal
 * parts, so that what was learned from a release can be asked about original values. Counts are
 * smoothed by adding 1 (Laplace). Missing values are ignored, in training as in tests. */
#ifndef MEASURE_NAIVE_BAYES_H
#define MEASURE_NAIVE_BAYES_H

#include "measure/query_error.h"

#define BAYES_NO_LABEL UINT32_MAX

enum { BAYES_MAX_LABELS = 1000, BAYES_MAX_TABLE = 1 << 24 };

typedef struct bayes_input {
    const query_input *shown; /* original values, and what each class shows */
    uint32_t n_labels;
    const uint32_t *record_label; /* [shown->n_records] what is to be predicted, or none */
    uint32_t n_rows;              /* of the release */
    const uint32_t *row_class;    /* [n_rows] below shown->n_classes */
    const uint32_t *row_label;    /* [n_rows] */
    uint32_t n_folds;             /* at least 2 */
    uint64_t seed;                /* which records go into which fold */
    /* Over ranks (shown->ranks), where as many rows are as records: the place of the first one
     * here, and how many all ranks have. 0 and 0: all are here. */
    uint64_t first_record, n_all;
} bayes_input;

/* Shares of the tested records whose label is predicted. */
typedef struct bayes_report {
    uint32_t n_tested;
    double original, release; /* trained on the data, on the release */
    double baseline;          /* always the most frequent label of the training records */
} bayes_report;

/* Number of doubles that a classifier of these columns and labels needs; more than BAYES_MAX_TABLE
 * are too many. */
uint64_t naive_bayes_table_size(const query_input *shown, uint32_t n_labels);

/* Row i of the release goes into the fold of record i: if the release is in the data's order, no
 * tested record is among the training rows. */
kith_status naive_bayes_measure(bayes_report *report, const bayes_input *in, arena *memory,
                                kith_error *error) KITH_MUST_USE;

#endif
