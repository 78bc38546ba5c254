/* Numbers and texts as bytes, for messages, files and hashes. Numbers have 1 to 8 bytes and are
 * little-endian, whatever the machine is. */
#ifndef CORE_BYTES_H
#define CORE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"

/* The fewest bytes that hold all numbers up to `max`. */
static inline uint32_t bytes_width(uint64_t max)
{
    uint32_t width = 1;
    while (width < 8 && max >> (8 * width) != 0)
        width++;
    return width;
}

/* The lowest bytes of a number; returns where the next one goes. */
static inline uint8_t *bytes_put(uint8_t *to, uint64_t number, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++)
        *to++ = (uint8_t)(number >> (8 * i));
    return to;
}

static inline uint64_t bytes_get(const uint8_t *from, uint32_t width)
{
    uint64_t number = 0;
    for (uint32_t i = 0; i < width; i++)
        number |= (uint64_t)from[i] << (8 * i);
    return number;
}

/* Bytes that are put together piece by piece: {.memory = …}. When memory runs out nothing is added
 * any more, and bytes_written says so. */
typedef struct bytes_writer {
    arena *memory;
    uint8_t *bytes;
    size_t length, room;
    bool failed;
} bytes_writer;

void bytes_write(bytes_writer *w, const void *bytes, size_t length);
static inline void bytes_write_number(bytes_writer *w, uint64_t number, uint32_t width)
{
    uint8_t bytes[8];
    if (w->room - w->length < width) {
        bytes_put(bytes, number, width);
        bytes_write(w, bytes, width);
        return;
    }
    bytes_put(w->bytes + w->length, number, width);
    w->length += width;
}
/* Whether all of it is there; KITH_NOMEM. */
kith_status bytes_written(const bytes_writer *w, kith_error *error) KITH_MUST_USE;

/* Bytes that are read piece by piece, and may come from a peer: {.at = …, .left = …}. What is not
 * there or not well-formed makes `failed` true for good; what is read then is 0 or NULL. So a
 * caller may ask once, but never let a number that was read decide how much is allocated:
 * bytes_read_count does. */
typedef struct bytes_reader {
    const uint8_t *at;
    size_t left;
    bool failed;
} bytes_reader;

static inline uint64_t bytes_read(bytes_reader *r, uint32_t width)
{
    r->failed = r->failed || r->left < width;
    if (r->failed)
        return 0;
    const uint8_t *from = r->at;
    r->at += width;
    r->left -= width;
    return bytes_get(from, width);
}
/* For what a caller finds wrong; `wrong` may read on. */
static inline void bytes_refuse(bytes_reader *r, bool wrong)
{
    r->failed = wrong || r->failed;
}
/* A number of things that follow, of at least `least` bytes each; fails if they cannot be there. */
uint64_t bytes_read_count(bytes_reader *r, uint32_t width, size_t least);
/* A text of so many bytes, in UTF-8 and without NUL. It stays where it is, without a NUL behind. */
const char *bytes_read_text(bytes_reader *r, uint64_t length);
/* Whether everything has been read, and was there. */
bool bytes_read_all(const bytes_reader *r);

#endif
