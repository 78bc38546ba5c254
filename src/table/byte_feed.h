/* Where the bytes of a CSV text come from: a file, standard input or a database. */
#ifndef TABLE_BYTE_FEED_H
#define TABLE_BYTE_FEED_H

#include <stddef.h>
#include <stdint.h>

#include <kith/run.h>
#include <kith/status.h>

#include "core/arena.h"

typedef struct byte_feed {
    /* Puts at most `size` bytes into `buffer`; `*got` is 0 only at the end. */
    kith_status (*read)(void *user, char *buffer, size_t size, size_t *got, kith_error *error);
    /* Share of the bytes read, 0 to 1, or negative if unknown. */
    double (*done)(void *user);
    void *user;
    /* How many bytes there are, if any range of them can be read by byte_feed_open_range and is
     * UTF-8; else 0. */
    uint64_t cut_bytes;
} byte_feed;

/* A plain file or one that gzip or zstd has compressed (told by its first bytes), "-" for standard
 * input. Closed with the arena. Where a signal interrupts the waiting for bytes, `run` (may be
 * NULL) says whether to go on. */
kith_status byte_feed_open(byte_feed *f, arena *memory, const char *path, const kith_run *run,
                           kith_error *error);

/* Bytes `begin` to `end` of a plain file. */
kith_status byte_feed_open_range(byte_feed *f, arena *memory, const char *path, uint64_t begin,
                                 uint64_t end, const kith_run *run,
                                 kith_error *error) KITH_MUST_USE;

#endif
