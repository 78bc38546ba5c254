/* One party's end of a run, as protocol code sees it: blocking channels to every other party.
 *
 * All parties call the same function at about the same time, each with its own private data and
 * with the same public arguments; where roles differ, the function branches on party_self. This is
 * the SPMD style ("single program, multiple data"). Nothing dispatches messages: the party_recv
 * that takes a message stands in the code where the sender has its party_send. Hence the rules:
 *
 * - Decide what to send next by public values only: the study, and values that all parties have
 *   learned. If two parties take different branches, one of them waits for a message that the other
 *   never sends, or receives one of another type. Both end the run.
 * - Send before you receive. party_send only queues, so all parties may send first without a
 *   deadlock; messages from one party arrive in the order in which it sent them.
 * - Call party_step where a step of the protocol begins, and again with its result at the end of
 *   the step. The ledger and all error messages name the current step.
 * - Call party_learns wherever this party obtains a value that depends on the data of others. The
 *   ledger shows users what a run disclosed; tests compare it with "Leaks" in the protocol's
 *   header.
 * - Call party_poll several times per second in work that sends and receives nothing. Bytes move
 *   only inside these functions: without polling, peers wait for messages that are queued here and
 *   see no sign of life, and this party notices neither that the run has ended nor that its user
 *   wants to stop.
 *
 * A party is a thread (inproc.h) or a process (tls_session.h); protocols do not know which. Once a
 * call has failed, every later call fails in the same way, so that TRY leaves a protocol from any
 * depth. */
#ifndef WIRE_PARTY_H
#define WIRE_PARTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"

enum { PARTY_MAX = 128, PARTY_KEY_BYTES = 32 };

/* What a message reveals to its receiver. The ledger lists every disclosure of the last three. */
typedef enum disclosure {
    DISCLOSE_CONTROL,   /* depends on public data only */
    DISCLOSE_MASKED,    /* uniformly distributed for the receiver */
    DISCLOSE_BLINDED,   /* a group element or ciphertext */
    DISCLOSE_CHOICE,    /* a question that depends on the sender's data */
    DISCLOSE_AGGREGATE, /* an output of a secure primitive */
    DISCLOSE_RELEASE,   /* anonymized data */
    DISCLOSURES
} disclosure;

/* "control", "masked", … */
const char *party_disclosure_name(disclosure kind);

/* Declared once per kind of message, static const: the name is "step.kind" ("sum.share"), at most
 * 63 bytes. A receiver refuses any other type than the one it expects. */
typedef struct message_type {
    const char *name;
    disclosure disclosure;
} message_type;

typedef struct party party; /* belongs to one thread */

uint32_t party_self(const party *p);  /* this party's index 0 … m-1, in the order of the study */
uint32_t party_count(const party *p); /* m */
const char *party_name(const party *p, uint32_t index);
arena *party_memory(party *p); /* lives as long as the run */
/* Identifies the run: equal at all parties, and different in every run. Protocols hash it first, so
 * that no hash of one run is of use in another. */
const unsigned char *party_run_id(const party *p); /* 32 bytes */

/* A pointer that a module keeps between its calls in one run, under a name (static text); NULL at
 * first. Lives in party_memory. Returns NULL if out of memory. */
void **party_local_storage(party *p, const char *name);

/* Queues a message. If more than 16 MB wait for a peer, it first moves bytes for all peers, in both
 * directions, until there is room or the deadline passes. `to` must not be this party. */
kith_status party_send(party *p, uint32_t to, const message_type *type, const void *bytes,
                       size_t length, kith_error *error) KITH_MUST_USE;
/* Waits for a message of exactly `length` bytes, and meanwhile sends what is queued for all peers.
 * The deadline starts anew with every part of a large message (256 KB). */
kith_status party_recv(party *p, uint32_t from, const message_type *type, void *bytes,
                       size_t length, kith_error *error) KITH_MUST_USE;
/* Sends to all others. */
kith_status party_broadcast(party *p, const message_type *type, const void *bytes, size_t length,
                            kith_error *error) KITH_MUST_USE;
/* Receives bytes[i] from every other party i; bytes[self] is untouched and may be NULL. */
kith_status party_gather(party *p, const message_type *type, void *const *bytes, size_t length,
                         kith_error *error) KITH_MUST_USE;
/* Sends `mine` to all others and receives theirs[i] from every other party i. */
kith_status party_exchange(party *p, const message_type *type, const void *mine,
                           void *const *theirs, size_t length, kith_error *error) KITH_MUST_USE;
/* Waits until everything queued has left this party. */
kith_status party_flush(party *p, kith_error *error) KITH_MUST_USE;

/* For long work between messages: moves what can be moved without waiting, tells the others that
 * this party is alive, and fails if the run is over or the user wants to stop. Cheap enough for
 * inner loops: reads the clock, and looks at the network every 20 ms. party_send and party_recv
 * call it. A party that shows in this way that it works is given up only at the limit of the run;
 * one that only waits, or is silent, at the deadline. */
kith_status party_poll(party *p, kith_error *error) KITH_MUST_USE;

/* Ends the run because a peer broke the protocol: KITH_PEER and "NAME WHAT (step …)", where `what`
 * is a phrase like "sent an invalid share". The other parties are told which peer is to blame. */
kith_status party_protocol_error(party *p, uint32_t peer, kith_error *error, const char *what, ...)
    __attribute__((format(printf, 4, 5)));

/* Derives a key for a purpose, shared with one peer or known to this party only (peer = self).
 * Equal at both ends, different for every run, pair and purpose. The caller wipes it. */
void party_key(party *p, uint32_t peer, const char *purpose, unsigned char key[PARTY_KEY_BYTES]);
/* Numbers the calls of primitives: 0, 1, 2, … The number is the same at all parties, since all make
 * the same calls; a call that fails counts, too. Primitives derive fresh keys from it. The ledger
 * counts the calls by name (static text). */
uint64_t party_next_call(party *p, const char *primitive);
/* Names the current step for error messages and the ledger (static text); returns the previous
 * one. */
const char *party_step(party *p, const char *step);
const char *party_current_step(const party *p);
/* Index of the party that made the run fail; the number of parties if it has not failed, or if that
 * is not known. */
uint32_t party_culprit(const party *p);

/* Records a deliberate disclosure in the ledger: `what` (static text) says what this party learns,
 * `count` how many values. */
void party_learns(party *p, disclosure kind, const char *what, uint64_t count);

#endif
