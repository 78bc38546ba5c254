/* Shared by the files of the assessment. */
#ifndef JOB_ASSESS_ASSESS_INTERNAL_H
#define JOB_ASSESS_ASSESS_INTERNAL_H

#include "job/assess/assess.h"
#include "table/rows/code_rows.h"
#include "verify/cover_cells.h"

/* Is anything asked of the data but whose row is whose? */
bool assess_knows_data(const assess_task *task);

/* assess.c: its steps, for ranks that have complete classes apart from their records. */

/* Records beside their rows. `report` has the classes of these rows, complete or not. */
kith_status assess_add_records(assess_sums *a, const prepared *data, const kith_table *texts,
                               const verify_report *report, loss_input *in, context *c,
                               kith_error *error) KITH_MUST_USE;
/* Complete classes; of `in` only what loss_counts_add_classes reads. */
kith_status assess_add_classes(assess_sums *a, const kith_table *texts, const verify_report *report,
                               const loss_input *in, context *c, kith_error *error) KITH_MUST_USE;

/* assess_ranks.c */
kith_status assess_ranks(assessment *found, const assess_task *task, const kith_table *texts,
                         context *c, kith_error *error) KITH_MUST_USE;
/* What all ranks have added, on each of them. */
kith_status assess_unite_sums(assess_sums *a, kith_error *error) KITH_MUST_USE;

/* assess_models.c: verdicts on the study's models, then one for each of its sensitive columns, in
 * study order, whose worst value is the highest share that a value has in a class. */
uint32_t assess_n_verdicts(const kith_study *study);

/* The quasi-identifying columns of the release, in study order. */
kith_status assess_quasi(uint32_t **quasi, uint32_t *n_quasi, const kith_study *study,
                         const kith_table *texts, context *c, kith_error *error) KITH_MUST_USE;

/* How their roots appear in it. */
kith_status assess_roots(suppressed_root **roots, const assess_task *task, context *c,
                         kith_error *error) KITH_MUST_USE;

/* Checks the models on a table of texts that has all columns of the study: on a part of the whole
 * release, or, if `whole` is NULL, on all of it. */
kith_status assess_models(verify_report *report, const assess_task *task, const assess_whole *whole,
                          const kith_table *texts, context *c, kith_error *error) KITH_MUST_USE;

/* Some models may not be judged: those that count persons who are not known. What sensitive columns
 * tell may be unknown where all models are judged. */
void assess_find_unknown(verify_report *report, const kith_study *study);

/* Adds the report on such a part to that on others. */
kith_status assess_add_models(verify_report *to, const verify_report *part, const kith_study *study,
                              context *c, kith_error *error) KITH_MUST_USE;

/* A column as src/verify wants it: data, release, hierarchy and order of its leaves. */
kith_status assess_cover_column(cover_column *to, const prepared_column *from,
                                const kith_table *texts, kith_error *error) KITH_MUST_USE;

/* assess_loss.c: what measures are computed from. Only grouping and suppressed class of `report`
 * are looked at. */
kith_status assess_loss_input(loss_input *in, const prepared *p, const kith_table *texts,
                              const verify_report *report, bool in_order, context *c,
                              kith_error *error) KITH_MUST_USE;

/* Sets the classes of in->n_records rows. */
kith_status assess_class_of(loss_input *in, const verify_report *report, context *c,
                            kith_error *error) KITH_MUST_USE;

/* The column whose values cm and pmi look at, or NULL: the class column of the study, or the first
 * sensitive one. Quasi-identifiers are looked at as they were in the data. */
const prepared_column *assess_label_column(const prepared *p);

/* The label of each row, and how many there are; NULL: there is no label column, or it is not known
 * whose row is whose. */
kith_status assess_labels(loss_input *in, const prepared *p, const kith_table *texts, bool in_order,
                          context *c, kith_error *error) KITH_MUST_USE;

/* assess_kl.c: the measure kl, over all ranks. `in` is about this rank's records. */
kith_status assess_kl(double *kl, const prepared *own, const loss_input *in, context *c,
                      kith_error *error) KITH_MUST_USE;

/* The original cells of all ranks' records: cells[attribute][record], and behind them units if
 * there are any. Equal cells are on one rank. */
kith_status assess_originals(code_rows *cells, const prepared *own, context *c,
                             kith_error *error) KITH_MUST_USE;

/* KITH_DATA, with line and text: the cell of a row is no label of the column's hierarchy. */
kith_status assess_refuse_label(const kith_table *texts, uint32_t row, const column *c,
                                kith_error *error) KITH_MUST_USE;

/* assess_means.c, for columns that show means. `shown` has been made for attribute j. */

/* For classes that show a mean, sets[classes] becomes what they would show instead. KITH_DATA
 * unless the rows are in the order of the records. */
kith_status assess_mean_sets(cell_set *sets, const prepared *p, uint32_t j,
                             const cover_cells *shown, const verify_report *report, bool in_order,
                             const kith_table *texts, kith_error *error) KITH_MUST_USE;

/* For classes that show a mean, cells[classes] becomes the value nearest to it. */
kith_status assess_nearest(query_cell *cells, const prepared *p, uint32_t j,
                           const cover_cells *shown, const kith_table *texts,
                           const verify_report *report, context *c,
                           kith_error *error) KITH_MUST_USE;

#endif
