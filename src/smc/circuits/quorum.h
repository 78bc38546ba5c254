/* "At least `need` of `size` shared bits are 1", as a part of a circuit (gmw.h).
 *
 * Sets of bits are merged in pairs, layer by layer. What is known of a set is kept in unary: bit j
 * says that at least j of its bits are 1. For two sets, "at least j" is the exclusive or, over i,
 * of "exactly i of the first and at least j - i of the second": no two of these terms are true. */
#ifndef SMC_CIRCUITS_QUORUM_H
#define SMC_CIRCUITS_QUORUM_H

#include "smc/circuits/gmw.h"

/* Words of AND gates for vectors of one word; 1 <= need <= size. */
size_t quorum_gates(size_t size, size_t need);

/* out[w] for w < words: shares of the answer from shares bits[j * words + w], j < size. For A and B
 * only. Cost: ceil(log2(size)) layers. */
kith_status quorum(gmw *g, uint64_t *out, const uint64_t *bits, size_t size, size_t need,
                   size_t words, kith_error *error) KITH_MUST_USE;

#endif
