/* Frames: what travels between two parties. A message is one or more frames.
 *
 * All numbers are little-endian:
 *    0  "KF"               2  version, 1        3  kind
 *    4  flags              5  disclosure class  6  bytes of the type's name, 0 … 63      7  zero
 *    8  first 16 bytes of the run id
 *   24  sequence number, from 0 per direction   32  depth (for rounds)
 *   36  payload bytes      40  bytes of the whole message             48  XXH3 of all else
 *   56  the type's name, then the payload
 * The checksum is for broken transports; against lying ones there is TLS. */
#ifndef WIRE_FRAME_H
#define WIRE_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kith/status.h>

enum {
    FRAME_HEADER = 56,
    FRAME_RUN = 16,
    FRAME_NAME = 63,
    FRAME_PAYLOAD = 256 * 1024, /* at most, also when unpacked */
    FRAME_MAX = FRAME_HEADER + FRAME_NAME + FRAME_PAYLOAD
};

typedef enum frame_kind {
    FRAME_DATA,
    FRAME_WAITING, /* keeps alive and says for whom the sender waits: payload = one byte, index */
    FRAME_ABORT,   /* the run ends: payload = who is to blame, and the step */
    FRAME_BYE,     /* the sender is done and has received all */
    FRAME_KINDS
} frame_kind;

enum { FRAME_PACKED = 1 }; /* the payload is zstd */

/* A frame taken apart; name and payload point into its bytes. */
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

/* Bytes that the whole frame has, known from its first FRAME_HEADER bytes; 0 if they cannot be the
 * beginning of a frame. */
size_t frame_size(const unsigned char *header);
/* Takes a whole frame apart; false if anything about it is wrong. */
bool frame_parse(frame *f, const unsigned char *bytes, size_t length);
/* The same for a frame that has been taken apart before, without looking for mistakes again. */
void frame_open(frame *f, const unsigned char *bytes, size_t length);
/* Writes header and name; the payload must stand at bytes + FRAME_HEADER + f->name_length. Returns
 * the frame's size. */
size_t frame_seal(unsigned char *bytes, const frame *f);

/* A frame on its way, in a queue. */
typedef struct frame_buffer {
    struct frame_buffer *next;
    int64_t due_us; /* not to be sent before */
    size_t length;  /* of the frame */
    size_t used;    /* bytes already sent, or room for receiving */
    unsigned char bytes[];
} frame_buffer;

typedef struct frame_queue {
    frame_buffer *head, *tail;
    size_t bytes;
} frame_queue;

frame_buffer *frame_buffer_new(size_t length); /* NULL if out of memory */
void frame_queue_push(frame_queue *q, frame_buffer *one);
frame_buffer *frame_queue_pop(frame_queue *q); /* NULL if empty */
void frame_queue_clear(frame_queue *q);

#endif
