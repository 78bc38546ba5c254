/* What every crew must do, whatever moves its bytes: tests run these with threads and with MPI. */
#ifndef SUPPORT_CREW_TRIALS_H
#define SUPPORT_CREW_TRIALS_H

#include "core/run/crew.h"

typedef struct crew_trial {
    const char *name;
    /* On all ranks at the same time, with a fresh crew; `variant` is below n_variants. NULL, or
     * what this rank has seen go wrong. */
    const char *(*run)(crew *c, uint32_t variant);
    uint32_t n_variants;
} crew_trial;

extern const crew_trial crew_trials[]; /* ends with a name of NULL */

#endif
