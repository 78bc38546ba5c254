/* Assessment of a release from its texts alone: do the models hold, does it cover the data, and how
 * much was lost. */
#ifndef JOB_RESULT_ASSESS_H
#define JOB_RESULT_ASSESS_H

#include "job/prepare/prepare.h"
#include "measure/loss.h"
#include "measure/query_error.h"
#include "verify/verify.h"
#include "verify/verify_cover.h"
#include "verify/verify_levels.h"

/* The column of a release with this name; KITH_DATA if there is none. */
kith_status assess_find_column(uint32_t *found, const kith_table *texts, const char *name,
                               kith_error *error) KITH_MUST_USE;

/* Verdicts in a report on a release: those of the study's models, then one for each of its
 * sensitive columns, in study order, whose worst value is the highest share that a value has in a
 * class. */
uint32_t assess_n_verdicts(const kith_study *study);

/* Checks the study's models on a table of texts that has all columns of the study. `data` is what
 * the release was made from, or NULL; with it and `in_order` (row i of the release is record i of
 * the data) m-invariance looks at earlier releases too. */
kith_status assess_models(verify_report *report, const kith_study *study, const prepared *data,
                          bool in_order, const kith_table *texts, context *c, kith_error *error);

/* What is known of a whole release by one who sees a part of it in which all classes are complete.
 * Everything comes from the texts of the release. */
typedef struct assess_whole {
    uint64_t n_rows;
    /* [columns of the part][values + 1] rows with each text, the last of missing cells; the part's
     * dictionaries are those of the whole. Needed for columns that models look at. */
    const uint64_t *const *counts;
    /* [quasi-identifiers, in study order] what suppressed rows show; NULL: none is suppressed */
    const char *const *suppressed;
} assess_whole;

/* The same for such a part. The models may be those that assess_judges_parts allows. */
kith_status assess_models_of_part(verify_report *report, const kith_study *study,
                                  const assess_whole *whole, const kith_table *part, context *c,
                                  kith_error *error) KITH_MUST_USE;

/* Adds the report on such a part to that on others. */
kith_status assess_add_models(verify_report *to, const verify_report *part, const kith_study *study,
                              context *c, kith_error *error) KITH_MUST_USE;

/* KITH_INVALID, naming the model, if the study has one that needs more than complete classes and
 * counts of the whole. */
kith_status assess_judges_parts(const kith_study *study, kith_error *error) KITH_MUST_USE;

/* How many rows of a release of this size the study allows to be suppressed. */
uint64_t assess_may_suppress(const kith_study *study, uint64_t n_rows);

/* How the root of a quasi-identifier appears in a release: from the hierarchy in `data`, if there
 * is one, otherwise from the study. */
kith_status assess_root(suppressed_root *root, const study_column *s, const prepared *data,
                        context *c, kith_error *error) KITH_MUST_USE;

/* `p` without the insensitive columns that the release lacks. Joint releases leave them out unless
 * the study says otherwise, and no model or measure depends on them. */
kith_status assess_part(prepared *part, const prepared *p, const kith_table *texts, context *c,
                        kith_error *error);

/* Checks that the release covers the data that `p` was made from: every record has a row whose
 * cells are the record's values or generalizations of them. */
kith_status assess_cover(cover_report *report, const prepared *p, const kith_table *texts,
                         context *c, kith_error *error);

/* The same where row i of the release is known to be record i: no other order is looked for. */
kith_status assess_cover_in_order(cover_report *report, const prepared *p, const kith_table *texts,
                                  context *c, kith_error *error) KITH_MUST_USE;

/* Does the study bound the levels that a release may show? */
bool assess_bounds_levels(const kith_study *study);

/* Checks these bounds; `models` comes from assess_models. The report's column is one of p->quasi.
 */
kith_status assess_levels(levels_report *report, const prepared *p, const kith_table *texts,
                          const verify_report *models, context *c, kith_error *error) KITH_MUST_USE;

/* All measures (kl only if asked for) of a release of the data in `p`; `report` comes from
 * assess_models. lm counts the values that a range covers; the other measures use the lowest common
 * ancestor of its values. `in_order`: row i of the release is record i. Without it pmi is NaN, and
 * so is cm if its class is a quasi-identifier. A text that no hierarchy has is KITH_DATA with its
 * line. A mean costs what the label would that covers the values of its class, which takes rows in
 * order: KITH_DATA otherwise. */
kith_status assess_loss(loss_report *loss, const prepared *p, const kith_table *texts,
                        const verify_report *report, bool in_order, bool kl, context *c,
                        kith_error *error);

/* What these measures are computed from. `report` may be about a part of the release; only its
 * grouping and suppressed class are looked at. */
kith_status assess_loss_input(loss_input *in, const prepared *p, const kith_table *texts,
                              const verify_report *report, bool in_order, context *c,
                              kith_error *error) KITH_MUST_USE;

/* The column whose values cm and pmi look at, or NULL: the class column of the study, or the first
 * sensitive one. Quasi-identifiers are looked at as they were in the data. */
const prepared_column *assess_label_column(const prepared *p);

/* What the release shows of every quasi-identifier, class by class and text by text, and the
 * original values; for counting queries and whatever else asks which values a cell may stand for.
 * Only the grouping of `report` is looked at. Rows may be in any order. */
typedef struct assess_cells {
    query_input by_class;
    const query_cell *const *by_text; /* [attributes][texts + 1], the last of missing cells; of
                                         texts that rows show */
} assess_cells;
kith_status assess_shown(assess_cells *shown, const prepared *p, const kith_table *texts,
                         const verify_report *report, context *c, kith_error *error) KITH_MUST_USE;

/* The numbers behind the positions of a quasi-identifier in the order of its values; NaN for what
 * is no number. */
kith_status assess_numbers(double **number_at, const prepared *p, uint32_t j, context *c,
                           kith_error *error) KITH_MUST_USE;

/* The mean that a released text of the column shows; false if it is no number. */
bool assess_mean(double *mean, const prepared_column *col, const dictionary *texts, uint32_t code);

/* The study's measure with its weights, which the search minimizes. */
double assess_objective(const prepared *p, const loss_report *loss);

#endif
