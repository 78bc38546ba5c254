/* Frames: the unit that travels between two parties. A message is one or more frames, so that a
 * large message does not need a buffer of its size in every queue on its way.
 *
 * All numbers are little-endian:
 *    0  "KF"               2  version, 1        3  kind
 *    4  flags              5  disclosure class  6  bytes of the type's name, 0 … 63      7  zero
 *    8  first 16 bytes of the run id
 *   24  sequence number, from 0 per direction   32  depth (for rounds)
 *   36  payload bytes      40  bytes of the whole message             48  XXH3 of all else
 *   56  the type's name, then the payload
 * The checksum finds errors of a transport, not attacks: TLS protects against those. The run id
 * keeps frames of an earlier run out; 16 of its 32 bytes are enough, since two runs have them in
 * common with a chance of 2^-128, and the parties have compared all 32 when the session opened.
 * Kind, flags and lengths are checked before anything is allocated. Names are plain text
 * (frame_is_plain), since error messages quote them. */
#ifndef WIRE_FRAME_H
#define WIRE_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kith/status.h>

#include "core/check.h"

enum {
    FRAME_HEADER = 56,
    FRAME_RUN = 16,
    FRAME_NAME = 63,
    FRAME_PAYLOAD = 256 * 1024,     /* maximum, also after decompression */
    FRAME_CONTROL = 2 + FRAME_NAME, /* maximum for all kinds but data: an ABORT names a step */
    FRAME_MAX = FRAME_HEADER + FRAME_NAME + FRAME_PAYLOAD
};

typedef enum frame_kind {
    FRAME_DATA,
    FRAME_WAITING, /* a sign of life; payload: the index of the party for which the sender waits */
    FRAME_ABORT,   /* the run ends; payload: who ended it, who is to blame, the step */
    FRAME_BYE,     /* the sender has finished and received everything */
    FRAME_KINDS
} frame_kind;

enum { FRAME_PACKED = 1 }; /* the payload is zstd */

/* A parsed frame; name and payload point into its bytes. */
typedef struct frame {
    frame_kind kind;
    unsigned flags;
    unsigned disclosure;
    unsigned char run[FRAME_RUN];
    uint64_t sequence;
    uint32_t depth;
    uint64_t message_bytes;
    const char *name; /* not terminated */
    size_t name_length;
    const unsigned char *payload;
    size_t payload_length;
} frame;

/* The size of the whole frame, read from its first FRAME_HEADER bytes; 0 if they are not a valid
 * header. */
size_t frame_size(const unsigned char *header);
/* True if a text consists of a-z, 0-9, '.', '_', '-' and spaces: it may be shown to a user. */
bool frame_is_plain(const char *text, size_t length);
/* Parses and checks a whole frame; false if anything about it is wrong. */
bool frame_parse(frame *f, const unsigned char *bytes, size_t length);
/* Parses a frame that frame_parse has accepted before, without checking it again. */
void frame_open(frame *f, const unsigned char *bytes, size_t length);
/* Writes header and name; the payload must stand at bytes + FRAME_HEADER + f->name_length. Returns
 * the frame's size. */
size_t frame_seal(unsigned char *bytes, const frame *f);

/* The bytes of one frame, in a queue. */
typedef struct frame_buffer {
    struct frame_buffer *next;
    int64_t due_us; /* earliest time to send it */
    size_t length;  /* of the frame; the buffer may be larger */
    size_t used;    /* bytes sent or received so far */
    unsigned char bytes[];
} frame_buffer;

/* A queue of frames, which owns them.
 *
 * Invariants: head and tail are both NULL or both not; tail is the last frame that head leads to;
 * `bytes` is the sum of the lengths. A frame's length does not change while it is in a queue. */
typedef struct frame_queue {
    frame_buffer *head, *tail;
    size_t bytes;
} frame_queue;

#if KITH_DEBUG
/* Looks at both ends only, since queues may hold many frames; frame_queue_clear checks the sum. */
void frame_queue_check(const frame_queue *q);
#endif

frame_buffer *frame_buffer_new(size_t length);            /* NULL if out of memory */
void frame_queue_push(frame_queue *q, frame_buffer *one); /* takes the frame over */
frame_buffer *frame_queue_pop(frame_queue *q);            /* NULL if empty */
void frame_queue_clear(frame_queue *q);                   /* frees all frames */

#endif
