#include "crypto/bit_transpose.h"

/* Swaps the off-diagonal halves of ever smaller squares. */
static inline void level(uint64_t *row, unsigned width, uint64_t low)
{
    for (unsigned start = 0; start < 64; start += 2 * width) {
        for (unsigned i = start; i < start + width; i++) {
            uint64_t swapped = ((row[i] >> width) ^ row[i + width]) & low;
            row[i] ^= swapped << width;
            row[i + width] ^= swapped;
        }
    }
}

void bit_transpose_64(uint64_t row[64])
{
    level(row, 32, 0x00000000ffffffffu);
    level(row, 16, 0x0000ffff0000ffffu);
    level(row, 8, 0x00ff00ff00ff00ffu);
    level(row, 4, 0x0f0f0f0f0f0f0f0fu);
    level(row, 2, 0x3333333333333333u);
    level(row, 1, 0x5555555555555555u);
}
