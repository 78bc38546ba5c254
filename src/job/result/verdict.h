/* The verdict of kith_verify as a document; its schema is in docs/verify.md. */
#ifndef JOB_RESULT_VERDICT_H
#define JOB_RESULT_VERDICT_H

#include "core/document.h"
#include "job/assess/assess.h"

#define VERDICT_NOWHERE UINT64_MAX

/* Where a row of a release is. */
typedef struct verdict_place {
    uint64_t row;  /* from 0, or VERDICT_NOWHERE: not known */
    uint64_t line; /* 0: none */
} verdict_place;

/* The rows that a report is about. */
typedef struct verdict_rows {
    const kith_table *texts;
    const verdict_place *place; /* [rows] in the whole release; NULL: `texts` is the whole */
} verdict_rows;

/* Adds the models, each with an example of a class that breaks it. */
void verdict_put_models(kith_document *d, document_node *root, const kith_study *study,
                        const verdict_rows *rows, const verify_report *report);
/* Adds the result of the cover check of a release of the data in `p`, of `n_released` rows.
 * `data_line` is that of a record whose row is wrong. `mapped`: a mapping says whose row is whose.
 */
void verdict_put_cover(kith_document *d, document_node *root, const prepared *p,
                       const verdict_rows *rows, uint64_t n_released, const cover_report *cover,
                       uint64_t data_line, bool mapped);
/* Adds the result of the check of levels. */
void verdict_put_levels(kith_document *d, document_node *root, const prepared *p,
                        const verdict_rows *rows, const levels_report *levels);
/* Adds, where the study refuses them, the persons whose classes have too few values in common. */
void verdict_put_intersections(kith_document *d, document_node *root, const kith_study *study,
                               const verify_report *report);

#endif
