/* The encrypted view as a problem for the engine, and the engine's result as codes of the view. */
#ifndef JOB_JOINT_VIEW_PROBLEM_H
#define JOB_JOINT_VIEW_PROBLEM_H

#include "core/context.h"
#include "protocol/view/view.h"
#include "protocol/view/view_tree.h"
#include "search/search.h"
#include "study/study.h"

/* Everything lives in the context's memory. */
typedef struct view_problem {
    const kith_study *study;
    uint32_t n_columns;
    const uint32_t *number; /* [n_columns] numbers in the study */
    view_tree *tree;        /* [n_columns], where the column has a hierarchy */
    uint32_t *attribute;    /* [n_columns] of the problem, or VIEW_NONE */
    uint32_t *sensitive;    /* [n_columns] of the problem, or VIEW_NONE */
    problem problem;
} view_problem;

/* Integers only: nothing of the view can be read here. Models get what they must know of the whole
 * table. */
kith_status view_problem_make(view_problem *v, const kith_study *study, const view_packet *packet,
                              const uint32_t *number, context *c, kith_error *error);

/* Replaces the codes of quasi-identifiers by what the result makes of them. */
kith_status view_problem_apply(view_packet *packet, const view_problem *v,
                               const search_result *result, kith_error *error);

/* Mean loss per cell: lm, and what was minimized (false if that cannot be said from closures). */
bool view_problem_loss(const view_problem *v, const search_result *result, double *lm,
                       double *objective);

#endif
