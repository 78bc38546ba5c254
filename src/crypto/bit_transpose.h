/* Transposing matrices of bits, 64 by 64. Constant time. */
#ifndef CRYPTO_BIT_TRANSPOSE_H
#define CRYPTO_BIT_TRANSPOSE_H

#include <stdint.h>

/* In place: bit j of row i becomes bit i of row j. */
void bit_transpose_64(uint64_t row[64]);

#endif
