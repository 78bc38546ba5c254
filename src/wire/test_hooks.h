/* Hooks for tests: what a broken network or a lying peer does to a frame, and what a party sees. */
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

/* Asked for every frame that leaves a party, from that party's thread; NULL: no faults. */
typedef struct fault_hook {
    frame_fault (*choose)(void *user, uint32_t from, uint32_t to, uint64_t sequence,
                          const char *type);
    void *user;
} fault_hook;

/* Shown every payload that a party receives, from that party's thread; NULL: nothing. */
typedef struct record_hook {
    void (*saw)(void *user, uint32_t self, uint32_t from, const char *type, const void *bytes,
                size_t length);
    void *user;
} record_hook;

#endif
