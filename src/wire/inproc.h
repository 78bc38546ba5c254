/* In-process sessions, for tests and `simulate --in-process`: m parties in m threads, connected by
 * queues of frames. The first party runs in the caller's thread. Frames, sequence numbers and
 * ledger are the same as over TLS, so that figures of a simulation hold for a real run. */
#ifndef WIRE_INPROC_H
#define WIRE_INPROC_H

#include <stdbool.h>

#include "wire/test_hooks.h"
#include "wire/ledger.h"
#include "wire/party.h"

/* Zero-initialised means: 30 s deadline, a day for the run, no delay, no faults. */
typedef struct inproc_options {
    unsigned deadline_ms; /* of every receive; 0: 30,000 */
    unsigned limit_ms;    /* of the whole run; 0: a day */
    unsigned delay_ms;    /* time by which every frame is held back, as by a slow network */
    bool compress;        /* zstd where it may help */
    fault_hook fault;     /* for tests */
    payload_hook payload; /* for tests: one party may lie */
    record_hook record;   /* for tests: every payload that a party receives */
    /* Called in the party's thread after the session has ended, before the party is freed. */
    void (*done)(party *p, void *user);
} inproc_options;

/* Runs fn(party, user[i]) in m threads (2 … PARTY_MAX) and ends the session: a party whose fn
 * fails tells the others, and all fail. Returns the cause: the first status that is not KITH_PEER,
 * otherwise KITH_PEER, which only says that another party failed. `names` NULL: site1 … sitem;
 * `options`, `user` and `errors` [m] may be NULL. */
kith_status inproc_run(uint32_t m, const char *const *names, const inproc_options *options,
                       kith_status (*fn)(party *p, void *user, kith_error *error),
                       void *const *user, kith_error *errors) KITH_MUST_USE;

#endif
