/* Assessment of a release that no process sees as a whole. Everything that is reported is a sum
 * over records, over classes of the release, or over groups of records that were equal before; so
 * the release may come in parts, each of which has some records, some complete classes, or some
 * complete groups. Where several ranks have parts, the sums are those of all ranks. Counts are
 * added up before anything is computed from them: the result does not depend on the division, and
 * is that of the whole release in memory.
 *
 *     parts_new             what is to be assessed
 *     parts_survey          looks at the rows of the release; all of them, in any division
 *     parts_surveyed        when all have been looked at
 *     parts_add_records     cover, levels, losses; all records, in any division
 *     parts_add_classes     models, sizes of classes, risks; each class complete in one call
 *     parts_add_originals   risks before; equal records in one call
 *     parts_finish          the assessment of the whole
 *
 * Nothing is known of a verdict's row; kl comes from parts_kl. */
#ifndef JOB_PARTS_PARTS_H
#define JOB_PARTS_PARTS_H

#include "job/parts/part_rows.h"
#include "job/parts/part_texts.h"
#include "job/result/publication.h"
#include "measure/loss_counts.h"

typedef struct parts {
    const prepared *shape;
    context *context;
    part_texts *texts;
    assess_whole whole;           /* from parts_surveyed on */
    const prepared_column *label; /* of cm and pmi; NULL: there is none */
    bool foreign; /* the release may come from any tool: its levels are not judged */
    loss_counts losses;
    verify_report verified;
    risk before, after;
} parts;

/* `shape` knows study, trees and labels of all parts; its rows do not matter. KITH_INVALID names a
 * model or a means of the study that cannot be assessed by parts. Everything lives in the memory of
 * the context, with whose crew the other ranks are reached. */
kith_status parts_new(parts **p, const prepared *shape, context *c,
                      kith_error *error) KITH_MUST_USE;

kith_status parts_survey(parts *p, const kith_table *texts, kith_error *error) KITH_MUST_USE;

/* All ranks together. */
kith_status parts_surveyed(parts *p, kith_error *error) KITH_MUST_USE;

/* Looks for suppressed rows among rows with all classes complete, if the study allows them; all
 * such parts, after parts_surveyed. For one process: ranks have parts_open. */
kith_status parts_find_suppressed(parts *p, const kith_table *texts,
                                  kith_error *error) KITH_MUST_USE;

/* Records and their rows: row i of `texts` is record i of `data`. A release that does not cover the
 * data or shows a level that the study forbids is KITH_BUG. */
kith_status parts_add_records(parts *p, const prepared *data, const kith_table *texts,
                              kith_error *error) KITH_MUST_USE;

/* Rows with all classes complete. `label` has the label of each row, if it is one of the data
 * (parts_labels_data); else it is NULL. */
kith_status parts_add_classes(parts *p, const kith_table *texts, const uint32_t *label,
                              kith_error *error) KITH_MUST_USE;

/* Records whose groups are complete: cells[attribute][record] before anonymization. */
kith_status parts_add_originals(parts *p, uint32_t *const *cells, uint32_t n_records,
                                kith_error *error) KITH_MUST_USE;

/* All ranks together. A model that does not hold is not an error here. */
kith_status parts_finish(assessment *out, parts *p, kith_error *error) KITH_MUST_USE;

/* Are labels those of the data, not of the release? */
bool parts_labels_data(const parts *p);
/* The label of a record then. */
uint32_t parts_label(const parts *p, const prepared *data, uint32_t record);

/* All of this, in two steps, for ranks that have a share of the records each, with rows in their
 * order: a release that covers the data, from any tool, which may break models and bounds on
 * levels. parts_open looks at the rows; then there are classes (parts_group). parts_close assesses
 * them, and uses the codes of `texts` up: it can only be freed after this. The result is the same
 * on all ranks; its grouping is NULL. */
kith_status parts_open(parts **p, const prepared *own, const kith_table *texts, context *c,
                       kith_error *error) KITH_MUST_USE;
kith_status parts_close(assessment *out, parts *p, const prepared *own, kith_table *texts,
                        kith_error *error) KITH_MUST_USE;

/* The classes of some rows, as far as they are there, and which of them is suppressed. */
kith_status parts_group(verify_report *report, const parts *p, const kith_table *texts,
                        arena *memory, kith_error *error) KITH_MUST_USE;

/* parts_kl.c: the measure kl for such ranks. `report` has the classes of the own rows. */
kith_status parts_kl(double *kl, const prepared *own, const kith_table *texts,
                     const verify_report *report, context *c, kith_error *error) KITH_MUST_USE;

/* The original cells of all ranks' records: cells[attribute][record]. Equal ones are on one rank.
 */
kith_status parts_originals(part_rows *cells, const prepared *own, context *c, arena *memory,
                            kith_error *error) KITH_MUST_USE;

/* All of this at once, for a release that this run has made: one that breaks a model, does not
 * cover the data or shows a forbidden level is KITH_BUG. For ranks that have a share of the records
 * each, with rows in their order. The result is the same on all ranks; its grouping is NULL. The
 * codes of `texts` are used up: it can only be freed after this. */
kith_status parts_assess(assessment *out, const prepared *own, kith_table *texts, context *c,
                         kith_error *error) KITH_MUST_USE;

#endif
