/* What ranks must do, whatever moves their bytes: tests run these with threads and with MPI. */
#ifndef SUPPORT_RANKS_TRIALS_H
#define SUPPORT_RANKS_TRIALS_H

#include "core/run/ranks.h"

typedef struct ranks_trial {
    const char *name;
    /* On all ranks at the same time, with a fresh object; `variant` is below n_variants. NULL, or
     * what this rank has seen go wrong. */
    const char *(*run)(kith_ranks *ranks, uint32_t variant);
    uint32_t n_variants;
} ranks_trial;

extern const ranks_trial ranks_trials[]; /* ends with a name of NULL */

#endif
