/* Position on the Hilbert curve by undoing, bit by bit from the top, the reflections and exchanges
 * of axes that each quadrant applies to the curve inside it (the method of Skilling, "Programming
 * the Hilbert curve", 2004). What remains is a Gray code across the dimensions; decoded, its bits
 * taken crosswise are the key. */
#include "search/ordered/hilbert_curve.h"

#include <string.h>

#include "core/check.h"

void hilbert_curve_key(uint64_t *key, uint32_t *point, uint32_t n_dimensions, uint32_t bits)
{
    ASSERT(bits > 0 && bits <= HILBERT_CURVE_MAX_BITS && n_dimensions > 0);
    for (uint32_t d = 0; d < n_dimensions; d++)
        ASSERT(point[d] >> bits == 0);
    /* At each bit: an axis in its upper half reflects the first axis below that bit; one in its
     * lower half exchanges its bits below with those of the first axis. */
    for (uint32_t bit = bits - 1; bit > 0; bit--) {
        uint32_t half = 1u << bit, below = half - 1;
        for (uint32_t d = 0; d < n_dimensions; d++) {
            if (point[d] & half) {
                point[0] ^= below;
            } else {
                uint32_t differ = (point[0] ^ point[d]) & below;
                point[0] ^= differ;
                point[d] ^= differ;
            }
        }
    }
    for (uint32_t d = 1; d < n_dimensions; d++)
        point[d] ^= point[d - 1];
    uint32_t flip = 0;
    for (uint32_t bit = bits - 1; bit > 0; bit--)
        if (point[n_dimensions - 1] >> bit & 1)
            flip ^= (1u << bit) - 1;
    for (uint32_t d = 0; d < n_dimensions; d++)
        point[d] ^= flip;
    uint32_t n_words = hilbert_curve_words(n_dimensions, bits);
    memset(key, 0, n_words * sizeof *key);
    uint64_t place = (uint64_t)n_words * 64 - (uint64_t)n_dimensions * bits; /* zeros in front */
    for (uint32_t bit = bits; bit-- > 0;)
        for (uint32_t d = 0; d < n_dimensions; d++, place++)
            key[place / 64] |= (uint64_t)(point[d] >> bit & 1) << (63 - place % 64);
}
