/* Peers that follow a script: what honest peers sent to one party in a recorded run, changed by a
 * list of mutations. That party runs the real protocol against them, in the caller's thread and
 * without a clock: all frames are there before it asks for the first, and whoever waits for more
 * than the script has is told that the peer has left.
 *
 * Random bytes of libsodium come from a stream that depends on the party alone, so that the party
 * does the same in every run and the recorded frames fit. Programs that use this file are linked
 * with --wrap=party_arrived. */
#ifndef SUPPORT_SCRIPT_H
#define SUPPORT_SCRIPT_H

#include "wire/frame.h"
#include "wire/party.h"

typedef kith_status script_fn(party *p, void *user, kith_error *error);

/* A frame that a peer sent, taken apart. */
typedef struct script_frame {
    uint32_t from;
    frame_kind kind;
    unsigned disclosure;
    uint32_t depth;
    uint64_t message_bytes;
    char name[FRAME_NAME + 1];
    size_t length;
    unsigned char *payload;
} script_frame;

/* What one party received, by sender and in the order of sending, and the keys that it had. */
typedef struct script_part {
    unsigned char seeds[PARTY_MAX][PARTY_KEY_BYTES];
    script_frame *frames;
    size_t n_frames, room;
} script_part;

typedef struct script {
    uint32_t n_parties;
    unsigned char run[32];
    script_part *parts; /* [n_parties] */
} script;

/* Call it before anything else uses libsodium. */
void script_fix_random(void);

/* Runs all parties, each in a thread, and notes what each receives. Returns the status of the run;
 * `errors` [n_parties]. */
kith_status script_record(script *s, uint32_t n_parties, script_fn *fn, void *user,
                          kith_error *errors) KITH_MUST_USE;
void script_free(script *s);

/* Runs one party against its part of the script, changed by the mutations that `bytes` are read as:
 *
 *     kind, frame (2 bytes), place (2 bytes), value; some are followed by `value` bytes
 *
 * Numbers are little-endian and taken modulo what there is, so that all bytes mean something. */
kith_status script_play(const script *s, uint32_t self, script_fn *fn, void *user,
                        const uint8_t *bytes, size_t size, kith_error *error) KITH_MUST_USE;

#endif
