/* The models of a problem, applied to a class of a generalization.
 *
 * A model belongs to the monotone part if a node above one that satisfies it never needs more
 * suppression. Without suppression most models do: unions of good classes are good. With it, few
 * do, because a violating class, suppressed below, may spoil a good class that it joins above. */
#ifndef SEARCH_LATTICE_MONOTONE_MODELS_H
#define SEARCH_LATTICE_MONOTONE_MODELS_H

#include <stdbool.h>

#include "core/arena.h"
#include "search/problem.h"

typedef struct monotone_models {
    const problem *problem;
    bool *in_part;   /* [n_models] does it belong to the monotone part? */
    bool monotone;   /* all models belong to it */
    bool only_units; /* all models are k-anonymity, and count units */
    bool part_units; /* those of the monotone part are, and count units: */
    uint32_t part_k; /* they ask for so many; 0: there is none */
    bool values;     /* some model looks at sensitive values, or another one at units */
    bool closures;   /* some model looks at closures */
} monotone_models;

typedef struct model_verdict {
    bool holds;      /* all models hold */
    bool part_holds; /* those of the monotone part hold */
} model_verdict;

kith_status monotone_models_init(monotone_models *j, const problem *p, arena *memory,
                                 kith_error *error);
model_verdict monotone_models_judge(const monotone_models *j, const class_view *view);

#endif
