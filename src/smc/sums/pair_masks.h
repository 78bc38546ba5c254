/* Pairwise masks: party i adds what it shares with every later party and subtracts what it shares
 * with every earlier one, so that the masks of all parties add up to zero. To a coalition that
 * leaves two honest parties, the masked vectors of those are uniform except for their sum.
 *
 * Invariants: there is one stream per other party, and none for this party; both ends of a stream
 * read it at the same pace, because all parties mask the same numbers of values in the same order.
 */
#ifndef SMC_SUMS_PAIR_MASKS_H
#define SMC_SUMS_PAIR_MASKS_H

#include "smc/smc.h"

typedef struct pair_masks pair_masks;

/* The masks of a call for one purpose; they live as long as the call. */
kith_status pair_masks_new(pair_masks **out, const smc_call *call, const char *purpose,
                           kith_error *error) KITH_MUST_USE;

/* Adds the next masks to values that are residues: modulus 0 is 2^64, others are below 2^63. */
kith_status pair_masks_add64(pair_masks *k, uint64_t *values, size_t n, uint64_t modulus,
                             kith_error *error) KITH_MUST_USE;
/* The same for bytes; 2 <= modulus <= 256. */
kith_status pair_masks_add8(pair_masks *k, uint8_t *values, size_t n, unsigned modulus,
                            kith_error *error) KITH_MUST_USE;

/* a + b for residues; modulus 0 is 2^64. */
static inline uint64_t pair_masks_sum(uint64_t a, uint64_t b, uint64_t modulus)
{
    /* The top bit says whether the difference is negative; a comparison might become a branch. */
    uint64_t reduced = a + b - modulus;
    return modulus == 0 ? reduced : reduced + (modulus & (0 - (reduced >> 63)));
}
/* a - b. */
static inline uint64_t pair_masks_difference(uint64_t a, uint64_t b, uint64_t modulus)
{
    uint64_t difference = a - b;
    return difference + (modulus & (0 - (difference >> 63)));
}

#endif
