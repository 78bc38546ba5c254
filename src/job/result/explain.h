/* Explains why a result is not finer: which model prevents smaller classes, and which models the
 * suppressed classes would break. */
#ifndef JOB_RESULT_EXPLAIN_H
#define JOB_RESULT_EXPLAIN_H

#include "core/document.h"
#include "job/prepare/prepare.h"

/* The classes of a release and one model. A class is at the border of the model if there is a
 * record without which it would break it. */
typedef struct explain_model {
    uint32_t n_border_classes, n_border_records;
    bool judged;         /* there is a class */
    model_finding worst; /* of all classes */
    uint32_t record;     /* a record of the worst class */
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
    /* The model with the most records suppressed for it or at its border; UINT32_MAX: none. */
    uint32_t binding;
    uint32_t n_classes;
    uint32_t n_suppressed_classes, n_suppressed_records;
    uint32_t n_listed;
    explain_suppressed suppressed[EXPLAIN_LISTED]; /* the largest ones */
    uint32_t
        *suppressed_by; /* [models] records of classes for which it is the first broken model */
} explanation;

kith_status explain_make(explanation *e, const prepared *p, const search_result *result, context *c,
                         kith_error *error);

/* Adds the key `explain`. */
void explain_put(kith_document *d, document_node *root, const explanation *e, const prepared *p,
                 const search_result *result);

#endif
