/* Short exchanges, for tests of what disturbs them. */
#ifndef SUPPORT_SHORT_RUNS_H
#define SUPPORT_SHORT_RUNS_H

#include "core/error.h"
#include "wire/party.h"

enum { SHORT_RUNS_LONG = 300000, SHORT_RUNS_PACKED = 600000, SHORT_RUNS_PARTIES = 3 };

/* Two rounds between three parties, the second with a message of several frames. */
static inline kith_status short_runs_exchange(party *p, void *user, kith_error *error)
{
    static const message_type question = {"test.question", DISCLOSE_CONTROL};
    static const message_type answer = {"test.answer", DISCLOSE_MASKED};
    uint64_t small = party_self(p), theirs[SHORT_RUNS_PARTIES];
    void *places[SHORT_RUNS_PARTIES], *wide[SHORT_RUNS_PARTIES];
    unsigned char *mine = arena_zalloc(party_memory(p), SHORT_RUNS_LONG, 1);
    (void)user;
    TRY_ALLOC(mine, error);
    for (uint32_t i = 0; i < SHORT_RUNS_PARTIES; i++) {
        places[i] = &theirs[i];
        wide[i] = arena_alloc(party_memory(p), SHORT_RUNS_LONG);
        TRY_ALLOC(wide[i], error);
    }
    TRY(party_exchange(p, &question, &small, places, sizeof small, error));
    return party_exchange(p, &answer, mine, wide, SHORT_RUNS_LONG, error);
}

/* Two parties send each other a message that can be packed. */
static inline kith_status short_runs_packed(party *p, void *user, kith_error *error)
{
    static const message_type long_type = {"test.long", DISCLOSE_CONTROL};
    const uint32_t other = 1 - party_self(p);
    char *mine = arena_zalloc(party_memory(p), SHORT_RUNS_PACKED, 1);
    char *theirs = arena_zalloc(party_memory(p), SHORT_RUNS_PACKED, 1);
    (void)user;
    if (mine == NULL || theirs == NULL)
        return KITH_NOMEM;
    kith_status status = party_send(p, other, &long_type, mine, SHORT_RUNS_PACKED, error);
    if (status == KITH_OK)
        status = party_recv(p, other, &long_type, theirs, SHORT_RUNS_PACKED, error);
    return status;
}

#endif
