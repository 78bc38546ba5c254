/* A feed of bytes in memory: CSV texts of tests and fuzzers. Header only. */
#ifndef SUPPORT_MEMORY_FEED_H
#define SUPPORT_MEMORY_FEED_H

#include <string.h>

#include "table/byte_feed.h"

/* Must stay as long as the feed, as must the bytes. */
typedef struct memory_feed {
    const char *bytes;
    size_t length, at;
} memory_feed;

static inline kith_status memory_feed_read(void *user, char *buffer, size_t size, size_t *got,
                                           kith_error *error)
{
    memory_feed *m = user;
    (void)error;
    *got = m->length - m->at < size ? m->length - m->at : size;
    if (*got > 0)
        memcpy(buffer, m->bytes + m->at, *got);
    m->at += *got;
    return KITH_OK;
}

static inline double memory_feed_done(void *user)
{
    const memory_feed *m = user;
    return m->length == 0 ? 1 : (double)m->at / (double)m->length;
}

static inline byte_feed memory_feed_of(memory_feed *m)
{
    return (byte_feed){.read = memory_feed_read, .done = memory_feed_done, .user = m};
}

#endif
