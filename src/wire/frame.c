#include "wire/frame.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "core/bytes.h"

/* Places of the fields, as in the table of frame.h. */
enum { AT_KIND = 3, AT_RUN = 8, AT_SEQUENCE = 24, AT_DEPTH = 32, AT_PAYLOAD = 36, AT_MESSAGE = 40 };
enum { AT_CHECKSUM = 48 };

/* Covers everything except the checksum itself, which lies between header and name: the hash of the
 * first part is the seed of the second. */
static uint64_t checksum(const unsigned char *bytes, size_t length)
{
    uint64_t head = XXH3_64bits(bytes, AT_CHECKSUM);
    return XXH3_64bits_withSeed(bytes + FRAME_HEADER, length - FRAME_HEADER, head);
}

/* Refuses unknown versions, kinds and flags: a peer of a later version must not be misread. */
size_t frame_size(const unsigned char *header)
{
    uint64_t payload = bytes_get(header + AT_PAYLOAD, 4);
    uint64_t max_payload = header[AT_KIND] == FRAME_DATA ? FRAME_PAYLOAD : FRAME_CONTROL;
    if (header[0] != 'K' || header[1] != 'F' || header[2] != 1 || header[AT_KIND] >= FRAME_KINDS ||
        (header[4] & ~FRAME_PACKED) != 0 || header[6] > FRAME_NAME || header[7] != 0 ||
        payload > max_payload)
        return 0;
    return FRAME_HEADER + header[6] + (size_t)payload;
}

/* By number and not by the locale's classes: all parties must refuse the same names. */
bool frame_is_plain(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
              c == '-' || c == ' '))
            return false;
    }
    return true;
}

void frame_open(frame *f, const unsigned char *bytes, size_t length)
{
    ASSERT(length >= FRAME_HEADER && frame_size(bytes) == length);
    f->kind = (frame_kind)bytes[AT_KIND];
    f->flags = bytes[4];
    f->disclosure = bytes[5];
    memcpy(f->run, bytes + AT_RUN, FRAME_RUN);
    f->sequence = bytes_get(bytes + AT_SEQUENCE, 8);
    f->depth = (uint32_t)bytes_get(bytes + AT_DEPTH, 4);
    f->message_bytes = bytes_get(bytes + AT_MESSAGE, 8);
    f->name = (const char *)bytes + FRAME_HEADER;
    f->name_length = bytes[6];
    f->payload = bytes + FRAME_HEADER + f->name_length;
    f->payload_length = length - FRAME_HEADER - f->name_length;
}

bool frame_parse(frame *f, const unsigned char *bytes, size_t length)
{
    if (length < FRAME_HEADER || frame_size(bytes) != length ||
        bytes_get(bytes + AT_CHECKSUM, 8) != checksum(bytes, length))
        return false;
    frame_open(f, bytes, length);
    return frame_is_plain(f->name, f->name_length);
}

size_t frame_seal(unsigned char *bytes, const frame *f)
{
    ASSERT(f->kind < FRAME_KINDS && (f->flags & ~(unsigned)FRAME_PACKED) == 0);
    ASSERT(f->disclosure <= 0xff && f->name_length <= FRAME_NAME);
    ASSERT(f->kind == FRAME_DATA || f->payload_length <= FRAME_CONTROL);
    ASSERT(f->payload_length <= FRAME_PAYLOAD);
    memset(bytes, 0, FRAME_HEADER);
    bytes[0] = 'K';
    bytes[1] = 'F';
    bytes[2] = 1;
    bytes[AT_KIND] = (unsigned char)f->kind;
    bytes[4] = (unsigned char)f->flags;
    bytes[5] = (unsigned char)f->disclosure;
    bytes[6] = (unsigned char)f->name_length;
    memcpy(bytes + AT_RUN, f->run, FRAME_RUN);
    bytes_put(bytes + AT_SEQUENCE, f->sequence, 8);
    bytes_put(bytes + AT_DEPTH, f->depth, 4);
    bytes_put(bytes + AT_PAYLOAD, f->payload_length, 4);
    bytes_put(bytes + AT_MESSAGE, f->message_bytes, 8);
    memcpy(bytes + FRAME_HEADER, f->name, f->name_length);
    size_t length = FRAME_HEADER + f->name_length + f->payload_length;
    bytes_put(bytes + AT_CHECKSUM, checksum(bytes, length), 8);
    ASSERT(frame_size(bytes) == length);
    return length;
}

/* Not from the arena: frames come and go during the run, and travel between threads. */
frame_buffer *frame_buffer_new(size_t length)
{
    frame_buffer *one = malloc(sizeof *one + length);
    if (one == NULL)
        return NULL;
    one->next = NULL;
    one->due_us = 0;
    one->length = length;
    one->used = 0;
    return one;
}

#if KITH_DEBUG
void frame_queue_check(const frame_queue *q)
{
    ASSERT((q->head == NULL) == (q->tail == NULL));
    ASSERT((q->head == NULL) == (q->bytes == 0));
    ASSERT(q->tail == NULL || q->tail->next == NULL);
    ASSERT(q->head == NULL || (q->head->length > 0 && q->head->length <= q->bytes));
    ASSERT((q->head == q->tail) == (q->head == NULL || q->head->next == NULL));
}
#endif

void frame_queue_push(frame_queue *q, frame_buffer *one)
{
    CHECK(frame_queue_check(q));
    ASSERT(one->length > 0);
    one->next = NULL;
    if (q->tail != NULL)
        q->tail->next = one;
    else
        q->head = one;
    q->tail = one;
    q->bytes += one->length;
}

frame_buffer *frame_queue_pop(frame_queue *q)
{
    CHECK(frame_queue_check(q));
    frame_buffer *one = q->head;
    if (one == NULL)
        return NULL;
    q->head = one->next;
    if (q->head == NULL)
        q->tail = NULL;
    q->bytes -= one->length;
    return one;
}

void frame_queue_clear(frame_queue *q)
{
    for (frame_buffer *one = frame_queue_pop(q); one != NULL; one = frame_queue_pop(q))
        free(one);
    ASSERT(q->bytes == 0);
}
