/* The Hilbert curve in any number of dimensions. */
#ifndef SEARCH_ORDERED_HILBERT_CURVE_H
#define SEARCH_ORDERED_HILBERT_CURVE_H

#include <stdint.h>

/* Most bits per coordinate that hilbert_curve_key takes. */
enum { HILBERT_CURVE_MAX_BITS = 16 };

/* Words of a key: bits x dimensions, rounded up. */
static inline uint32_t hilbert_curve_words(uint32_t n_dimensions, uint32_t bits)
{
    return (uint32_t)(((uint64_t)n_dimensions * bits + 63) / 64);
}

/* Where a point stands on the curve: key[] as one number, highest word first, so that keys compare
 * word by word. The coordinates are below 2^bits and are destroyed. */
void hilbert_curve_key(uint64_t *key, uint32_t *point, uint32_t n_dimensions, uint32_t bits);

#endif
