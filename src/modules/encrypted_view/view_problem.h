/* The encrypted view as a problem for a search, and the result of the search as codes of the view.
 */
#ifndef MODULES_ENCRYPTED_VIEW_VIEW_PROBLEM_H
#define MODULES_ENCRYPTED_VIEW_VIEW_PROBLEM_H

#include "core/run/context.h"
#include "modules/encrypted_view/view_columns.h"
#include "protocol/view/view.h"
#include "protocol/view/view_tree.h"
#include "search/search.h"
#include "study/study.h"

/* Everything lives in the context's memory. */
typedef struct view_problem {
    const kith_study *study;
    uint32_t n_columns;
    const uint32_t *numbers;        /* [n_columns] numbers in the study */
    view_tree *trees;               /* [n_columns], where the column has a hierarchy */
    uint32_t *attribute_of;         /* [n_columns] number in problem.attributes, or VIEW_NONE */
    uint32_t *sensitive_of;         /* [n_columns] number in problem.sensitive, or VIEW_NONE */
    sensitive_attribute *sensitive; /* problem.sensitive */
    problem problem;
} view_problem;

/* Makes the problem from codes only: the master does not know the values. Models get what they must
 * know of the whole table. KITH_PEER if the sites left out something that the study asks for. */
kith_status view_problem_make(view_problem *v, const kith_study *study, const view_packet *packet,
                              const view_columns *columns, context *c, kith_error *error);

/* Replaces the codes of quasi-identifiers by the entries that the result shows instead. */
kith_status view_problem_apply(view_packet *packet, const view_problem *v,
                               const search_result *result, kith_error *error);

/* Mean loss per cell: lm, and the measure that was minimized. False if that measure needs more than
 * closures. */
bool view_problem_loss(const view_problem *v, const search_result *result, double *lm,
                       double *objective);

#endif
