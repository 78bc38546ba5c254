/* All combinations of some studies with values for some of their keys. Rows are numbered from 0:
 * studies change slowest, the values of the last key fastest. */
#ifndef JOB_TRY_TRY_PLAN_H
#define JOB_TRY_TRY_PLAN_H

#include "core/arena.h"
#include "study/study.h"

enum { TRY_PLAN_ROWS = 1000 };

/* "k=3,5,10". */
typedef struct try_set {
    const char *key; /* as the user wrote it */
    size_t n_values;
    const char **values;
    const char **paths; /* [n_studies] where the key is in each study (study_edit.h) */
} try_set;

typedef struct try_plan {
    arena *memory;
    size_t n_studies;
    const kith_study *const *studies;
    size_t n_sets;
    try_set *sets;
    size_t n_rows;
} try_plan;

/* Reads the sets and checks that every study can have their keys; values are checked with each
 * row. Everything lives in `memory`, the studies must live as long. */
kith_status try_plan_make(try_plan *plan, arena *memory, const kith_study *const *studies,
                          size_t n_studies, const char *const *sets, size_t n_sets,
                          kith_error *error) KITH_MUST_USE;

/* The study that a row starts from, and the value that it gives to a key. */
const kith_study *try_plan_base(const try_plan *plan, size_t row);
const char *try_plan_value(const try_plan *plan, size_t row, size_t set);

/* The text of the row's study, in `memory`. */
kith_status try_plan_text(const char **text, const try_plan *plan, size_t row, arena *memory,
                          kith_error *error) KITH_MUST_USE;
/* The study with the row's values (kith_study_change). KITH_INVALID, with a message without a place
 * in the text, if the study refuses one of the values. Free with kith_study_free. */
kith_status try_plan_study(kith_study **study, const try_plan *plan, size_t row,
                           kith_error *error) KITH_MUST_USE;

#endif
