/* The verdict of kith_verify as a document; its schema is in docs/verify.md. */
#ifndef JOB_RESULT_VERDICT_H
#define JOB_RESULT_VERDICT_H

#include "core/document.h"
#include "job/result/assess.h"

/* Adds the models, each with an example of a class that breaks it. */
void verdict_put_models(kith_document *d, document_node *root, const kith_study *study,
                        const kith_table *texts, const verify_report *report);
/* Adds the result of the cover check of a release of the data in `p`. */
void verdict_put_cover(kith_document *d, document_node *root, const prepared *p,
                       const kith_table *texts, const cover_report *cover);
/* Adds the result of the check of levels. */
void verdict_put_levels(kith_document *d, document_node *root, const prepared *p,
                        const kith_table *texts, const levels_report *levels);

#endif
