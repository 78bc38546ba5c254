/* Numbers below a bound in as few bytes as that takes, for messages between ranks. */
#ifndef SEARCH_PACKED_H
#define SEARCH_PACKED_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Bytes for a number below `bound`: 1, 2 or 4. */
static inline uint32_t packed_width(uint64_t bound)
{
    return bound <= UINT64_C(1) << 8 ? 1 : bound <= UINT64_C(1) << 16 ? 2 : 4;
}

static inline void packed_put(uint8_t *bytes, uint32_t width, size_t at, uint32_t value)
{
    const uint8_t one = (uint8_t)value;
    const uint16_t two = (uint16_t)value;
    const void *from = width == 1 ? (const void *)&one : width == 2 ? (const void *)&two : &value;
    memcpy(bytes + at * width, from, width);
}

static inline uint32_t packed_get(const uint8_t *bytes, uint32_t width, size_t at)
{
    uint16_t two;
    uint32_t four;
    bytes += at * width;
    switch (width) {
    case 1: return *bytes;
    case 2: memcpy(&two, bytes, sizeof two); return two;
    default: memcpy(&four, bytes, sizeof four); return four;
    }
}

#endif
