/* The columns of the encrypted view, made from a study and one party's table. */
#ifndef MODULES_ENCRYPTED_VIEW_VIEW_COLUMNS_H
#define MODULES_ENCRYPTED_VIEW_VIEW_COLUMNS_H

#include "job/prepare/prepare.h"
#include "protocol/view/view.h"

/* Everything lives in the context's memory. */
typedef struct view_columns {
    uint32_t count;       /* columns that are released */
    uint32_t *numbers;    /* [count] their numbers in the study, ascending */
    uint32_t n_sources;   /* one more where models count persons: whose each row is */
    view_source *sources; /* [n_sources] */
    uint32_t n_rows;      /* of this party */
    view_label *tid;      /* [n_rows], or NULL */
    kith_study shared;    /* the study, completed with what the parties agreed on */
    prepared mine;        /* this party's table, if it holds data */
} view_columns;

/* All parties call it at the same time; `table` is NULL at those without data. KITH_DATA if row ids
 * are missing or repeated. */
kith_status view_columns_make(view_columns *v, party *p, const kith_study *study,
                              const kith_table *table, context *c, kith_error *error);

/* Does the column have a hierarchy in the view: a quasi-identifier, or a sensitive column whose
 * values a model compares by hierarchy? */
bool view_columns_has_tree(const kith_study *study, uint32_t number);
/* Do the parties compare the lengths of this column's longest values? */
bool view_columns_compares_lengths(const kith_study *study, uint32_t number);
/* The bit that marks values which a model lists (lkc, delta-presence), or 0. */
uint8_t view_columns_mark_of(const kith_study *study, uint32_t model);

#endif
