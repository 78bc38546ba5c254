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
    model_finding worst; /* of all classes; the first of those that are equally bad: */
    uint32_t row;        /* its first one */
    uint32_t *closure;   /* [n_attributes] and what it shows */
} explain_model;

/* A class that was suppressed: the first model that it breaks. */
typedef struct explain_suppressed {
    uint32_t n_records;
    const uint32_t *closure; /* [n_attributes] what they would show */
    uint32_t model;
    model_finding finding;
} explain_suppressed;

enum { EXPLAIN_LISTED = 20 };

typedef struct explanation {
    arena *memory;
    explain_model *models; /* [models of the study] */
    uint32_t n_suppressed_classes, n_suppressed_records;
    uint32_t n_listed;
    explain_suppressed suppressed[EXPLAIN_LISTED]; /* the largest ones */
    uint32_t
        *suppressed_by; /* [models] records of classes for which it is the first broken model */
} explanation;

/* Of no class yet. It lives in `memory`. */
kith_status explain_open(explanation **e, const problem *p, arena *memory,
                         kith_error *error) KITH_MUST_USE;

/* Adds the classes of some records; no other record is in these classes. rows[records]: where these
 * stand in the whole table, ascending; NULL: they are all of it, or each different one of it with
 * its weight. Suppressed records come at once. c->memory may be given back. Without `e` nothing is
 * done. */
kith_status explain_add(explanation *e, const problem *p, const search_result *result,
                        const uint32_t *rows, context *c, kith_error *error) KITH_MUST_USE;

/* Adds the key `explain`. */
void explain_put(kith_document *d, document_node *root, const explanation *e, const prepared *p);

#endif
