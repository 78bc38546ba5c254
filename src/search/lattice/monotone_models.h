/* The models of a problem applied to a class, in the parts that a search of generalizations needs.
 *
 * The monotone part are the models with which suppressing no more records is enough at every node
 * above one that satisfies them. Without suppression that is most of them; with it, merging a
 * violating class into a good one may spoil it. */
#ifndef SEARCH_LATTICE_MONOTONE_MODELS_H
#define SEARCH_LATTICE_MONOTONE_MODELS_H

#include <stdbool.h>

#include "core/arena.h"
#include "search/problem.h"

typedef struct monotone_models {
    const problem *problem;
    bool *in_part; /* [models] belongs to the monotone part */
    bool monotone; /* all do */
    bool values;   /* some model looks at sensitive values */
    bool closures; /* some model looks at closures */
} monotone_models;

typedef struct model_verdict {
    bool holds, part_holds;
} model_verdict;

kith_status monotone_models_init(monotone_models *j, const problem *p, arena *memory,
                                 kith_error *error);
model_verdict monotone_models_judge(const monotone_models *j, const class_view *view);

#endif
