/* Pairwise masks: party i adds what it shares with every later party and subtracts what it shares
 * with every earlier one, so that over all parties they cancel. To a coalition that leaves two
 * honest parties, the masked vectors of those are uniform except for their sum. */
#ifndef SMC_PAIR_MASKS_H
#define SMC_PAIR_MASKS_H

#include "smc/smc.h"

typedef struct pair_masks pair_masks;

/* The masks of one call of a purpose; gone with `scratch`. */
kith_status pair_masks_new(pair_masks **out, party *p, arena *scratch, const char *purpose,
                           uint64_t call, kith_error *error) KITH_MUST_USE;

/* Adds the next masks to values that are residues: modulus 0 is 2^64, others are below 2^63. */
kith_status pair_masks_add64(pair_masks *k, uint64_t *value, size_t n, uint64_t modulus,
                             kith_error *error) KITH_MUST_USE;
/* The same for bytes; modulus <= 256. */
kith_status pair_masks_add8(pair_masks *k, uint8_t *value, size_t n, unsigned modulus,
                            kith_error *error) KITH_MUST_USE;

/* a + b for residues; modulus 0 is 2^64. */
static inline uint64_t pair_masks_sum(uint64_t a, uint64_t b, uint64_t modulus)
{
    /* The top bit says whether it fell below zero; a comparison might become a branch. */
    uint64_t reduced = a + b - modulus;
    return modulus == 0 ? reduced : reduced + (modulus & (0 - (reduced >> 63)));
}
static inline uint64_t pair_masks_difference(uint64_t a, uint64_t b, uint64_t modulus)
{
    uint64_t difference = a - b;
    return difference + (modulus & (0 - (difference >> 63)));
}

#endif
