/* Assessment of a release from its texts alone: do the models hold, does it cover the data, how
 * much was lost, and how much risk remains.
 *
 * Everything that is reported is a sum over records, over classes of the release, or over groups of
 * records that were equal before. Counts are added up before anything is computed from them, so
 * that a release may come in parts, wherever its rows are, and the result does not depend on the
 * division:
 *
 *     assess_release   a whole release: the rows of this process or, over ranks, of all of them
 *     assess_open      a release that comes in parts, each of which has complete classes
 *     assess_add       one of them
 *     assess_finish    the assessment of the whole
 */
#ifndef JOB_ASSESS_ASSESS_H
#define JOB_ASSESS_ASSESS_H

#include "job/assess/intersections.h"
#include "job/assess/risk.h"
#include "job/prepare/prepare.h"
#include "measure/loss_counts.h"
#include "measure/query_error.h"
#include "verify/verify_cover.h"
#include "verify/verify_levels.h"

/* What is to be assessed. */
typedef struct assess_task {
    const kith_study *study;
    /* What the release was made from; of a release in parts trees, labels and population are
     * enough. NULL: only the models are judged. */
    const prepared *data;
    bool models_alone; /* nothing is asked of the data but whose row is whose */
    bool in_order;     /* row i of the release is record i; always so for several parts */
    bool mapped;       /* and a mapping says so: rows that fit could be those of other persons */
    bool match;        /* otherwise check the cover all the same, which takes longer */
    bool made;     /* by this run: what breaks the study or does not cover the data is KITH_BUG */
    bool grouped;  /* afterwards: keep the classes; not for a release in parts */
    bool analyzed; /* the same, class by class, and measure kl, too */
    const risk *before; /* of the data, where its parts do not show it; NULL: they do */
    uint64_t first_row; /* the place of the first row here among those of all ranks */
} assess_task;

typedef struct assessment {
    /* Its grouping is that of the rows of this process, complete or not; NULL if they came in
     * parts, and over ranks unless they are to be kept. A verdict names a row of the whole if
     * models are judged alone, if parts have source_rows, or if there is one part. */
    verify_report verified;
    cover_report cover; /* this and what follows only where the data is known */
    loss_report loss;
    risk_report risks;
    intersections intersections; /* where models count persons, and these are known */
} assessment;

/* Assesses a release. m-invariance looks at earlier releases if rows are in order. Where rows are
 * not, pmi is NaN, and so is cm if its class is a quasi-identifier. lm counts the values that a
 * range covers; the other measures use the lowest common ancestor of its values. A mean costs what
 * the label would that covers the values of its class: KITH_DATA unless rows are in order. A text
 * that no hierarchy has is KITH_DATA with its line.
 *
 * Ranks each bring the rows of their own records, in order, with united dictionaries
 * (assess_unite); what they find is the same on all of them. KITH_INVALID names a model that needs
 * all rows in one place. */
kith_status assess_release(assessment *a, const assess_task *task, const kith_table *texts,
                           context *c, kith_error *error) KITH_MUST_USE;

/* Ranks: *united is `own` with the dictionaries of the whole in all columns that an assessment
 * looks at. Takes the codes of `own` over. */
kith_status assess_unite(const kith_table **united, const kith_table *own, const assess_task *task,
                         context *c, kith_error *error) KITH_MUST_USE;

/* What is known of a whole release by one who sees a part of it in which all classes are complete.
 * Everything comes from the texts of the release. */
typedef struct assess_whole {
    uint64_t n_rows;
    /* [columns of a part][values + 1] rows with each text, the last of missing cells; the parts'
     * dictionaries are those of the whole. Needed for columns that models look at. */
    const uint64_t *const *counts;
    /* [quasi-identifiers, in study order] what rows show that are suppressed, if the study allows
     * so many; NULL: none is suppressed */
    const char *const *suppressed;
    uint64_t n_suppressed;
    bool stars; /* they show `*` where the root has another label */
    /* Where models count persons: those of the rows by which the parts' source_rows go (NULL: of
     * the rows of the part that is judged), and how many of them show each value (verify/values.h)
     * of the sensitive columns of a part. NULL: not known. */
    const verify_persons *persons;
    const uint64_t *const *persons_with;
} assess_whole;

/* Whose the rows row[n_rows] of a table are that has the columns of the unit. All ranks together. */
kith_status assess_persons(verify_persons *persons, const kith_study *study, const kith_table *data,
                           const uint32_t *row, uint32_t n_rows, context *c, arena *memory,
                           kith_error *error) KITH_MUST_USE;
/* whole->persons_with, from a table that has the sensitive columns of all rows of the persons, beside
 * columns without codes. All ranks together, each with rows of other persons. In c->memory. */
kith_status assess_persons_with(assess_whole *whole, const verify_persons *persons,
                                const kith_study *study, const kith_table *texts, context *c,
                                kith_error *error) KITH_MUST_USE;

/* Sums to which parts are added. */
typedef struct assess_sums {
    assess_task task;
    const assess_whole *whole; /* NULL: there is one part, the whole release */
    context *context;
    loss_counts losses;
    assessment found;
} assess_sums;

/* They live in the memory of the context. KITH_INVALID names a model that cannot be judged part by
 * part. */
kith_status assess_open(assess_sums *a, const assess_task *task, const assess_whole *whole,
                        context *c, kith_error *error) KITH_MUST_USE;

/* Rows with all their classes, beside their records. `c` has memory that can be given back. */
kith_status assess_add(assess_sums *a, const prepared *data, const kith_table *texts, context *c,
                       kith_error *error) KITH_MUST_USE;

/* All ranks together. */
kith_status assess_finish(assessment *found, assess_sums *a, kith_error *error) KITH_MUST_USE;

/* Looks for suppressed rows among those of a part, before any part is added, by the rule of
 * suppressed_find for the whole release. All ranks together, which have their own rows. Parts with
 * incomplete classes come in the order of the rows, and once more to assess_count_suppressed, which
 * adds to *n_rows those that show what was found. */
kith_status assess_find_suppressed(assess_whole *whole, const assess_task *task,
                                   const kith_table *texts, context *c,
                                   kith_error *error) KITH_MUST_USE;
kith_status assess_count_suppressed(uint64_t *n_rows, const assess_whole *whole,
                                    const assess_task *task, const kith_table *texts, context *c,
                                    kith_error *error) KITH_MUST_USE;

/* KITH_INVALID, naming the model, if the study has one that needs more than complete classes and
 * counts of the whole. */
kith_status assess_judges_parts(const kith_study *study, kith_error *error) KITH_MUST_USE;

/* How many rows of a release of this size the study allows to be suppressed. */
uint64_t assess_may_suppress(const kith_study *study, uint64_t n_rows);

/* How the root of a quasi-identifier appears in a release: from the hierarchy in `data`, if there
 * is one, otherwise from the study. */
kith_status assess_root(suppressed_root *root, const study_column *s, const prepared *data,
                        context *c, kith_error *error) KITH_MUST_USE;

/* The column of a release with this name; KITH_DATA if there is none. */
kith_status assess_find_column(uint32_t *found, const kith_table *texts, const char *name,
                               kith_error *error) KITH_MUST_USE;

/* `p` without the insensitive columns that the release lacks. Joint releases leave them out unless
 * the study says otherwise, and no model or measure depends on them. */
kith_status assess_part(prepared *part, const prepared *p, const kith_table *texts, context *c,
                        kith_error *error) KITH_MUST_USE;

/* Checks that the release covers the data that `p` was made from: every record has a row whose
 * cells are the record's values or generalizations of them. */
kith_status assess_cover(cover_report *report, const prepared *p, const kith_table *texts,
                         context *c, kith_error *error) KITH_MUST_USE;

/* The same for the rows and records of all ranks in any order, none beside the other: rows
 * `first_row` and those that follow it are here, with the same dictionaries on all ranks. */
kith_status assess_cover_slices(cover_report *report, const prepared *p, const kith_table *texts,
                                uint64_t first_row, context *c, kith_error *error) KITH_MUST_USE;

/* The same where row i of the release is known to be record i: no other order is looked for. */
kith_status assess_cover_in_order(cover_report *report, const prepared *p, const kith_table *texts,
                                  context *c, kith_error *error) KITH_MUST_USE;

/* The classes of some rows, as far as they are there, and which of them is suppressed. */
kith_status assess_group(verify_report *report, const assess_task *task, const assess_whole *whole,
                         const kith_table *texts, context *c, kith_error *error) KITH_MUST_USE;

/* Does the study bound the levels that a release may show? */
bool assess_bounds_levels(const kith_study *study);

/* Checks these bounds; `models` has the classes of these rows. The report's column is one of
 * p->quasi. */
kith_status assess_levels(levels_report *report, const prepared *p, const kith_table *texts,
                          const verify_report *models, context *c, kith_error *error) KITH_MUST_USE;

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
