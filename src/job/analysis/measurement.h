/* One call of kith_measure; each step fills what the later ones read. */
#ifndef JOB_ANALYSIS_MEASUREMENT_H
#define JOB_ANALYSIS_MEASUREMENT_H

#include <kith/measure.h>

#include "job/analysis/analysis.h"
#include "job/analysis/sample_risk.h"
#include "job/assess/assess_levels.h"
#include "job/slice/comparison.h"

typedef struct measurement {
    const kith_study *study;
    const kith_measure_options *options;
    comparison compared; /* over ranks of this rank's records */
    context context;
    /* From here on everything is about the whole release. */
    assessment found;     /* its grouping has the classes of these rows, complete or not */
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

/* Reads data and release, and compares them: all records, or those of the sample. Over ranks the
 * result is the same on all of them. */
kith_status measurement_make(measurement *m, kith_error *error) KITH_MUST_USE;

/* measurement_report.c: all figures as a document. */
kith_status measurement_report(kith_document **report, const measurement *m,
                               kith_error *error) KITH_MUST_USE;

#endif
