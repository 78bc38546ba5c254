/* What a job has to say about itself, as docs/summary.md lists it. */
#ifndef JOB_RESULT_SUMMARY_H
#define JOB_RESULT_SUMMARY_H

#include "core/document.h"
#include "job/result/explain.h"
#include "job/result/assess.h"
#include "job/prepare/prepare.h"
#include "job/result/risk.h"

/* Seconds of each phase. */
typedef struct job_times {
    double load, search, write, verify, total;
} job_times;

/* A finished job of one table. */
typedef struct job_outcome {
    const char *command;
    const prepared *prepared;
    const algorithm *algorithm;
    const search_result *result;
    verify_report verified;
    loss_report loss;
    risk_report risks;
    const explanation *explanation; /* NULL: not asked for */
    job_times seconds;
} job_outcome;

/* Free with kith_document_free. */
kith_status summary_make(kith_document **document, const job_outcome *job, const kith_run *run,
                         kith_error *error);

/* The companion of a release: what its receivers may know. No seed, no times, no paths. */
kith_status summary_meta(kith_document **document, const job_outcome *job, kith_error *error);

/* Parts that several documents share. `models` adds one object per model to an array; the caller
 * may add to object i, which comes back from it. */
document_node *summary_put_model(kith_document *d, document_node *models, const model_spec *model,
                                 const verify_verdict *verdict);
void summary_put_loss(kith_document *d, document_node *parent, const loss_report *loss);
void summary_put_attribute_loss(kith_document *d, document_node *parent, const prepared *p,
                                const loss_report *loss);

#endif
