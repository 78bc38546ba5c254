/* The texts of a release that is in parts: one dictionary for each column that classes or models
 * look at, and how often each text occurs in the whole release.
 *
 *     part_texts_new      names the columns
 *     part_texts_survey   looks at some rows; once for every row of the release
 *     part_texts_finish   puts together what all ranks have seen
 *     part_texts_recode   gives other tables of these rows the dictionaries of the whole
 *     part_texts_rewrite  changes such a table itself
 */
#ifndef JOB_PARTS_PART_TEXTS_H
#define JOB_PARTS_PART_TEXTS_H

#include "core/context.h"
#include "study/study.h"
#include "table/intern.h"
#include "table/table.h"

typedef struct part_texts_column {
    const char *name;
    intern seen;      /* texts in the order in which this rank has met them */
    uint64_t *n_seen; /* [seen.count] rows */
    size_t n_seen_room;
    uint64_t n_missing;
    dictionary values; /* after part_texts_finish, like all that follows: of the whole release */
    uint64_t *counts;  /* [values.count + 1], the last for missing cells */
} part_texts_column;

typedef struct part_texts {
    context *context;
    uint32_t n_columns,
        n_quasi; /* the first n_quasi columns are quasi-identifying, in study order */
    part_texts_column *columns; /* the others are looked at by models, or are sensitive */
    uint64_t n_rows;
} part_texts;

/* The columns that `study` makes quasi-identifying or sensitive, and its class column if that is
 * asked for. */
kith_status part_texts_new(part_texts **t, const kith_study *study, bool with_label, context *c,
                           kith_error *error) KITH_MUST_USE;

kith_status part_texts_survey(part_texts *t, const kith_table *rows,
                              kith_error *error) KITH_MUST_USE;

kith_status part_texts_finish(part_texts *t, kith_error *error) KITH_MUST_USE;

/* *recoded has the same rows and columns; those of `t` have the dictionaries of the whole. A text
 * that has not been surveyed is KITH_BUG. It lives in `memory` and shares what it can. */
kith_status part_texts_recode(const part_texts *t, kith_table *recoded, const kith_table *rows,
                              arena *memory, kith_error *error) KITH_MUST_USE;

/* The same in the place of the rows, without memory for a copy. part_texts_recode then has nothing
 * to do for this table. */
kith_status part_texts_rewrite(const part_texts *t, kith_table *rows,
                               kith_error *error) KITH_MUST_USE;

#endif
