/* Hooks for tests, all in this header: a run outside the tests leaves all of them NULL.
 *
 * A fault hook damages frames as a broken network would. A payload hook changes what a party says,
 * as a malicious peer would: frames, checksums and sequence numbers stay right. A record hook sees
 * every payload that a party receives, so that a test can compare it with what the ledger lists.
 * They are part of the library since only the channel sees frames, below every protocol. */
#ifndef WIRE_TEST_HOOKS_H
#define WIRE_TEST_HOOKS_H

#include <stddef.h>
#include <stdint.h>

typedef enum frame_fault {
    FAULT_NONE,
    FAULT_LOSE,
    FAULT_DUPLICATE,
    FAULT_DELAY, /* until after the deadline */
    FAULT_TRUNCATE,
    FAULT_CORRUPT, /* one bit */
    FAULTS
} frame_fault;

/* Chooses the fault of every frame that leaves a party, in that party's thread. */
typedef struct fault_hook {
    frame_fault (*choose)(void *user, uint32_t from, uint32_t to, uint64_t sequence,
                          const char *type);
    void *user;
} fault_hook;

/* What the next data frame will carry, before it is packed and sealed. */
typedef struct payload_copy {
    unsigned char *bytes;   /* with room for FRAME_PAYLOAD bytes */
    size_t length;          /* at most FRAME_PAYLOAD */
    uint64_t message_bytes; /* which the frame announces as the length of the whole message */
} payload_copy;

/* May change every payload that leaves a party, in that party's thread. */
typedef struct payload_hook {
    void (*change)(void *user, uint32_t from, uint32_t to, const char *type, payload_copy *payload);
    void *user;
} payload_hook;

/* Receives a copy of every payload that a party takes, in that party's thread. */
typedef struct record_hook {
    void (*saw)(void *user, uint32_t self, uint32_t from, const char *type, const void *bytes,
                size_t length);
    void *user;
} record_hook;

#endif
