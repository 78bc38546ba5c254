/* One party's end of a run, as protocol code sees it: blocking channels to every other party.
 *
 * All parties call the same function at the same time. A party is a thread (inproc.h) or a process
 * (tls_session.h); the code cannot tell which. Once a call has failed every later one fails the
 * same way, so TRY unwinds a protocol wherever it stands. */
#ifndef WIRE_PARTY_H
#define WIRE_PARTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"

enum { PARTY_MAX = 64, PARTY_KEY_BYTES = 32 };

/* What a message tells its receiver; the ledger lists choice, aggregate and release one by one. */
typedef enum disclosure {
    DISCLOSE_CONTROL,   /* depends on public data only */
    DISCLOSE_MASKED,    /* uniform to the receiver */
    DISCLOSE_BLINDED,   /* a group element or ciphertext */
    DISCLOSE_CHOICE,    /* a question that depends on the sender's data */
    DISCLOSE_AGGREGATE, /* an output of a secure primitive */
    DISCLOSE_RELEASE,   /* anonymized data */
    DISCLOSURES
} disclosure;

/* "control", "masked", … */
const char *party_disclosure_name(disclosure kind);

/* Declared once per kind of message, static const: the name is "step.kind" ("sum.share"), at most
 * 63 bytes. */
typedef struct message_type {
    const char *name;
    disclosure disclosure;
} message_type;

typedef struct party party; /* never shared between threads */

uint32_t party_self(const party *p);  /* my index 0 … m-1, in the order of the study */
uint32_t party_count(const party *p); /* m */
const char *party_name(const party *p, uint32_t index);
arena *party_memory(party *p); /* lives as long as the run */
/* Names the run, the same at all parties and never again: hashes of a protocol begin with it. */
const unsigned char *party_run_id(const party *p); /* 32 bytes */

/* A place for what a module keeps between its calls of one run, named by a static text; NULL at
 * first. Lives in party_memory; NULL if out of memory. */
void **party_local_storage(party *p, const char *name);

/* Queues a message; beyond 16 MB per peer it moves bytes for all peers, reading what they send,
 * until there is room or the deadline passes. `to` is not this party itself. */
kith_status party_send(party *p, uint32_t to, const message_type *type, const void *bytes,
                       size_t length, kith_error *error) KITH_MUST_USE;
/* Sends what is queued for anyone while it waits for a message of exactly `length` bytes. The
 * deadline starts anew with every part of a large message (256 KB). */
kith_status party_recv(party *p, uint32_t from, const message_type *type, void *bytes,
                       size_t length, kith_error *error) KITH_MUST_USE;
/* To all others. */
kith_status party_broadcast(party *p, const message_type *type, const void *bytes, size_t length,
                            kith_error *error) KITH_MUST_USE;
/* bytes[i] from every other i; bytes[self] is untouched and may be NULL. */
kith_status party_gather(party *p, const message_type *type, void *const *bytes, size_t length,
                         kith_error *error) KITH_MUST_USE;
/* Both: `mine` to all others, theirs[i] from every other i. */
kith_status party_exchange(party *p, const message_type *type, const void *mine,
                           void *const *theirs, size_t length, kith_error *error) KITH_MUST_USE;
/* Waits until everything queued has left this party. */
kith_status party_flush(party *p, kith_error *error) KITH_MUST_USE;

/* For long work between messages, again and again: moves what can be moved without waiting, tells
 * the others that this party is alive, and fails if the run is over or the user wants to stop.
 * Cheap: looks at the clock, and every 20 ms at the network. Sending and receiving do it, too. */
kith_status party_poll(party *p, kith_error *error) KITH_MUST_USE;

/* For steps in which parties work for long: as long as it is set, a receive does not fail while the
 * peer for whom all wait in the end says, by party_poll, that it works. One that waits for others,
 * or says nothing, has the usual deadline. Returns what it was before. */
bool party_allow_slow_peers(party *p, bool patient);

/* A peer sent something that cannot be right: ends the run with KITH_PEER and "NAME WHAT (step …)";
 * the others are told whom this party found fault with. */
kith_status party_protocol_error(party *p, uint32_t peer, kith_error *error, const char *what, ...)
    __attribute__((format(printf, 4, 5)));

/* 32-byte key shared with one peer for a purpose, or known to this party alone (peer = self). Equal
 * at both ends, different for every run, pair and purpose. The caller wipes it. */
void party_key(party *p, uint32_t peer, const char *purpose, unsigned char key[PARTY_KEY_BYTES]);
/* 0, 1, 2, …: advances on every call of a primitive, failed ones included; the same at all
 * parties, since all make the same calls. The ledger counts them by name (static text). */
uint64_t party_next_call(party *p, const char *primitive);
/* Names the protocol step for messages and ledger (static text); returns the previous one. */
const char *party_step(party *p, const char *step);

/* Every deliberate disclosure is one line: `what` (static text) says what this party learns,
 * `count` how many values. */
void party_learns(party *p, disclosure kind, const char *what, uint64_t count);

#endif
