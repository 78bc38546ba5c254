/* Trees of seeds: one side knows all leaves, the other all but one (Goldreich, Goldwasser, Micali
 * 1986).
 *
 * The children of a seed are the halves of its hash (BLAKE2b). For each level there are the sums of
 * all left and of all right children. The sums that lie beside the path to a hidden leaf, one for
 * each level, are enough to make all leaves but this one. Constant time in seeds, sums and the
 * hidden leaf. */
#ifndef CRYPTO_GGM_H
#define CRYPTO_GGM_H

#include <stdint.h>

enum { GGM_MAX_DEPTH = 8 };

typedef struct ggm_seed {
    uint64_t halves[2];
} ggm_seed;

/* leaves [2^depth], in order; sums [2 * depth]: of the left and the right children of each level,
 * the root's first. */
void ggm_grow(ggm_seed *leaves, ggm_seed *sums, const ggm_seed *root, unsigned depth);
/* known [depth]: for each level the sum of the side that `hidden` does not take. leaves[hidden] is
 * of no use. */
void ggm_repair(ggm_seed *leaves, const ggm_seed *known, uint32_t hidden, unsigned depth);

#endif
