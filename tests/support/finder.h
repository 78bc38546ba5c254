/* Who finds out first that classes differ. Header only.
 *
 * All parties over columns compare hashes of their classes at about the same time
 * (protocol/columns_agree.h), also one that has lied before and keeps to the protocol now. The
 * first to see two hashes that differ says so and ends the run; whoever has not yet got all hashes
 * then hears only that it has ended. Each party may be the first: which one it is depends on the
 * machine, unless a test chooses it with this hook, which holds back hashes between the others. */
#ifndef SUPPORT_FINDER_H
#define SUPPORT_FINDER_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <kith/status.h>

#include "wire/test_hooks.h"

static inline frame_fault finder_holds_back(void *user, uint32_t from, uint32_t to,
                                            uint64_t sequence, const char *type)
{
    const uint32_t *finder = user;
    (void)sequence;
    return strcmp(type, "vertical.classes") == 0 && from != *finder && to != *finder ? FAULT_DELAY
                                                                                     : FAULT_NONE;
}

/* Only this party gets all hashes; it lives as long as the run. */
static inline fault_hook finder_hook(uint32_t *finder)
{
    return (fault_hook){finder_holds_back, finder};
}

/* The finder says what it has found, all others that it has ended the run and blames nobody. */
static inline void finder_check(uint32_t finder, uint32_t m, const kith_error *errors)
{
    char told[128];
    snprintf(told, sizeof told,
             "site%u ended the run: a party sent wrong values, it cannot tell which (step ",
             (unsigned)finder + 1);
    for (uint32_t i = 0; i < m; i++) {
        const char *words = i == finder ? "have different classes" : told;
        assert_int_equal(errors[i].status, KITH_PEER);
        if (strstr(errors[i].message, words) == NULL)
            fail_msg("site%u: \"%s\" instead of \"%s\"", (unsigned)i + 1, errors[i].message, words);
    }
}

#endif
