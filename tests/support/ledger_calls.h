/* How often a run called one primitive. Header only. */
#ifndef SUPPORT_LEDGER_CALLS_H
#define SUPPORT_LEDGER_CALLS_H

#include <string.h>

#include "wire/ledger.h"

static inline uint64_t ledger_calls(const ledger *l, const char *primitive)
{
    for (size_t i = 0; i < LEDGER_PRIMITIVES && l->called[i].primitive != NULL; i++)
        if (strcmp(l->called[i].primitive, primitive) == 0)
            return l->called[i].n_calls;
    return 0;
}

#endif
