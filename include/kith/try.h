/* One table under many studies. */
#ifndef KITH_TRY_H
#define KITH_TRY_H

#include <stddef.h>

#include <kith/document.h>
#include <kith/run.h>
#include <kith/status.h>
#include <kith/study.h>
#include <kith/table.h>
#include <kith/unstable.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kith_try_options {
    size_t size;
    const kith_input *input;
    /* Values to try, "k=3,5,10": a key of the studies by its path, keys joined by dots
     * ("utility.suppression", "privacy.0.k", "columns.age.type"), or the name of a parameter that
     * only one privacy model has. */
    const char *const *sets;
    size_t n_sets;
} kith_try_options;

/* Anonymizes the data in memory under every study and every combination of the values, and tells
 * loss and risk of each; nothing is written. The rows of `result` (docs/summary.md) come in the
 * order of the studies, then of the values, the last key changing fastest. A combination that is
 * refused or infeasible is a row with the reason. If the progress function asks to stop, rows that
 * are not finished say so, and the call returns KITH_CANCELLED only if there is no other. */
KITH_API KITH_MUST_USE kith_status kith_try(kith_document **result,
                                            const kith_study *const *studies, size_t n_studies,
                                            const kith_try_options *options, const kith_run *run,
                                            kith_error *error);

/* The study of one row, from 1, with its comments: the text of the study that it comes from, in
 * which only the values of the row are changed. KITH_INVALID if the text would mean something else
 * in a file of `directory`, because it names other files by relative paths; NULL: that is not
 * checked. The options' `input` is not needed. Release the text with kith_free. */
KITH_API KITH_MUST_USE kith_status kith_try_study(char **text, const kith_study *const *studies,
                                                  size_t n_studies, size_t row,
                                                  const char *directory,
                                                  const kith_try_options *options,
                                                  kith_error *error);

#ifdef __cplusplus
}
#endif
#endif
