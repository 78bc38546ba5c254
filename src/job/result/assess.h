/* What a release is worth, read from its texts alone: do the models hold, and what was lost. */
#ifndef JOB_RESULT_ASSESS_H
#define JOB_RESULT_ASSESS_H

#include "job/prepare/prepare.h"
#include "measure/loss.h"
#include "verify/verify.h"
#include "verify/verify_cover.h"

/* The column of a release with this name; KITH_DATA if there is none. */
kith_status assess_find_column(uint32_t *found, const kith_table *texts, const char *name,
                               kith_error *error) KITH_MUST_USE;

/* Checks the study's models on a table of texts that has all columns of the study. `data` is what
 * the release was made from, or NULL; with it and `in_order` (row i of the release is record i of
 * the data) m-invariance looks at earlier releases too. */
kith_status assess_models(verify_report *report, const kith_study *study, const prepared *data,
                          bool in_order, const kith_table *texts, context *c, kith_error *error);

/* `p` without the insensitive columns that the release lacks: joint releases leave them out unless
 * the study says otherwise, and nothing is judged by them. */
kith_status assess_part(prepared *part, const prepared *p, const kith_table *texts, context *c,
                        kith_error *error);

/* Does the release cover the data that `p` was made from? */
kith_status assess_cover(cover_report *report, const prepared *p, const kith_table *texts,
                         context *c, kith_error *error);

/* All measures (kl only if asked for) of a release of the data in `p`; `report` is what
 * assess_models said. lm counts the values that a range covers, the other measures take the lowest
 * common ancestor of its values. `in_order`: row i of the release is record i (pmi needs it, and cm
 * where its class is a quasi-identifier; they are NaN otherwise). A text that stands for nothing is
 * an error with its line. */
kith_status assess_loss(loss_report *loss, const prepared *p, const kith_table *texts,
                        const verify_report *report, bool in_order, bool kl, context *c,
                        kith_error *error);

/* The study's measure, weighted: what the search tried to make small. */
double assess_objective(const prepared *p, const loss_report *loss);

#endif
