/* One call of kith_measure; each step fills what the later ones read. */
#ifndef JOB_MEASUREMENT_MEASUREMENT_H
#define JOB_MEASUREMENT_MEASUREMENT_H

#include <kith/anonymize.h>

#include "job/analysis/analysis.h"
#include "job/analysis/sample_risk.h"
#include "job/result/assess_levels.h"
#include "job/result/risk.h"

typedef struct measurement {
    const kith_study *study;
    const kith_measure_options *options;
    table_input data_input, release_input, mapping_input;
    context context;
    prepared prepared;         /* over ranks, like what follows, of the own records */
    const kith_table *release; /* its rows */
    bool in_order;             /* row i is record i */
    uint64_t first_record;     /* the place of the first one among those of all ranks */
    verify_report after;       /* with the classes of these rows, complete or not */
    /* From here on everything is about the whole release. */
    uint64_t n_records, n_suppressed, n_released;
    cover_report cover;
    loss_report loss;
    risk_report risks;
    shown_levels *levels; /* [attributes] */
    uint32_t n_queries;   /* 0: none */
    query_error_report queries;
    numbers_report numbers;
    distributions_report distributions;
    pairs_report pairs;
    classify_report classifier; /* if options->classify */
    sample_risk_task sampling;
    sample_risk_report sample;
} measurement;

/* Reads data and release, and compares them: all records, or those of the sample. Rows may be in
 * any order. */
kith_status measurement_whole(measurement *m, kith_error *error) KITH_MUST_USE;

/* measurement_shares.c: the same over ranks, where rows are in the order of the data. The result is
 * the same on all of them. */
kith_status measurement_share(measurement *m, kith_error *error) KITH_MUST_USE;

/* What analysts and officers ask the release, when `release`, `after` and `in_order` are known. */
kith_status measurement_analyze(measurement *m, kith_error *error) KITH_MUST_USE;

/* measurement_report.c: all figures as a document. */
kith_status measurement_report(kith_document **report, const measurement *m,
                               kith_error *error) KITH_MUST_USE;

#endif
