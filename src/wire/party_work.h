/* Local work that takes long and cannot look at the network itself: it runs in a thread of its own,
 * while the party keeps answering the others. They would take a silent party for a dead one. */
#ifndef WIRE_PARTY_WORK_H
#define WIRE_PARTY_WORK_H

#include "wire/party.h"

typedef struct party_work_task {
    /* In a thread of its own. Calls nothing of the party, nor a function of the user's. */
    kith_status (*work)(void *user, kith_error *error);
    /* In the calling thread, about every 20 ms, until the work has ended; NULL: nothing. `failed`:
     * the joint run is over, and the work should end early if it can. */
    void (*turn)(void *user, bool failed);
    void *user;
} party_work_task;

/* Returns what the work returns, or the error of the party if the joint run failed meanwhile. */
kith_status party_work(party *p, const party_work_task *task, kith_error *error) KITH_MUST_USE;

#endif
