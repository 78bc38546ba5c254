/* Why a result is not finer: which model holds the classes back, and what was wrong with those that
 * had to be suppressed. */
#ifndef JOB_RESULT_EXPLAIN_H
#define JOB_RESULT_EXPLAIN_H

#include "core/document.h"
#include "job/prepare/prepare.h"

/* How the classes of a release stand to one model. */
typedef struct explain_model {
    uint32_t n_border_classes, n_border_records; /* classes that cannot spare every one of their
                                                records, and how many records these have */
    bool judged;                                 /* some class was looked at */
    model_finding worst;                         /* of all classes */
    uint32_t record;                             /* in the worst class */
} explain_model;

/* A class that was suppressed: the first model that it breaks. */
typedef struct explain_suppressed {
    uint32_t n_records;
    uint32_t record; /* one of them */
    uint32_t model;
    model_finding finding;
} explain_suppressed;

enum { EXPLAIN_LISTED = 20 };

typedef struct explanation {
    explain_model *models; /* [models of the study] */
    uint32_t binding; /* the model with most records suppressed for it or at its border; UINT32_MAX
                         if there are none */
    uint32_t n_classes;
    uint32_t n_suppressed_classes, n_suppressed_records;
    uint32_t n_listed;
    explain_suppressed suppressed[EXPLAIN_LISTED]; /* the largest ones */
    uint32_t *suppressed_by; /* [models] records whose class breaks it first */
} explanation;

kith_status explain_make(explanation *e, const prepared *p, const search_result *result, context *c,
                         kith_error *error);

/* Adds the key `explain`. */
void explain_put(kith_document *d, document_node *root, const explanation *e, const prepared *p,
                 const search_result *result);

#endif
