/* What data protection officers ask about a release: who is unique in the population that the data
 * is a sample of, which records are special, and what of the sensitive columns is disclosed. */
#ifndef JOB_ANALYSIS_SAMPLE_RISK_H
#define JOB_ANALYSIS_SAMPLE_RISK_H

#include "job/analysis/analysis.h"
#include "risk/dis_suda.h"
#include "risk/disclosure.h"
#include "risk/individual.h"
#include "risk/special_uniques.h"
#include "risk/uniqueness.h"
#include "table/table_input.h"

/* How many people each record stands for. */
typedef struct sample_weights {
    const char *name;      /* of the column; NULL: there are none */
    uint32_t *of;          /* [records] place in numbers[] */
    uint32_t count;        /* over ranks the same on all of them, like numbers[] */
    const double *numbers; /* [count] */
} sample_weights;

typedef struct sample_risk_task {
    double population; /* people, or below 1 the share that is in the data; 0: unknown */
    sample_weights weights;
    uint32_t max_size; /* of special uniques; 0: none are looked for. Not over ranks */
} sample_risk_task;

/* Of the data, or of the release. */
typedef struct sample_risk {
    uint32_t n_singles;
    uniqueness unique;
    bool has_individual; /* weights are of no use to a release in another order */
    individual_report individual;
    special_uniques special;
    dis_suda dis;
    double *dis_scores;      /* [records] */
    disclosure *disclosures; /* [n_sensitive] */
} sample_risk;

typedef struct sample_risk_report {
    const sample_risk_task *task;
    const prepared *data;
    double population; /* 0: unknown */
    double fraction;   /* of the population that the data has, as DIS takes it */
    uint32_t n_sensitive;
    const char **sensitive; /* [n_sensitive] names */
    sample_risk before, after;
} sample_risk_report;

/* Over ranks, whose dictionaries are united and whose rows are in the order of the data, rows move
 * to where their classes are complete; the report is the same on all ranks. KITH_INVALID if the
 * population is smaller than the data. */
kith_status sample_risk_assess(sample_risk_report *report, const analysis *a,
                               const sample_risk_task *task, context *c,
                               kith_error *error) KITH_MUST_USE;

/* Adds the keys `disclosure` and, where they were asked for, `population`, `individual` and
 * `special_uniques`. */
void sample_risk_put(kith_document *d, document_node *root, const sample_risk_report *report);

/* sample_weights.c: reads a column of positive numbers; rows of the data that are not released are
 * left out. `like` says how the data is read. Over ranks every one has the weights of its own
 * records. */
kith_status sample_weights_read(sample_weights *weights, const kith_input *data,
                                const kith_table_options *like, const char *name, const prepared *p,
                                context *c, kith_error *error) KITH_MUST_USE;

#endif
