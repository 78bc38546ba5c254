/* Does the sum of private values reach a threshold?
 *
 * From:   SDC section 8.2.2 (vector dominance), with a circuit of Goldreich, Micali and Wigderson:
 *         the sign of u + v - k modulo 2^b, by a carry tree of logarithmic depth on
 *         b = ceil(log2(bound + 1)) + 2 bits.
 * Model:  semi-honest. m > 2: no two of A, B and the hub may collude (A, B: the two parties after
 *         the hub, which deals); m = 2: oblivious transfer.
 * Output: "compare" (aggregate) or "dominates" (aggregate), or what the caller calls it, one bit
 *         per sum or group, at the receiver.
 * Leaks:  nothing; the answer for a group does not say which component failed.
 * Cost:   shared.share (masked): m-2 messages of 8n bytes; about 3b gates per value, and
 *         for every component of a group one word of gates per 64 groups, which cost gmw.triple
 *         (masked), gmw.and (masked) and gmw.open (masked) as in gmw.h; if m = 2, also ot.columns
 *         (masked), and the first time ot.trees (masked), ot.offer (blinded) and ot.answer
 *         (blinded).
 *         Rounds: ceil(log2(b - 1)) + 3, and ceil(log2(size)) more for groups of `size` components,
 *         where each block with need < size adds ceil(log2(size of the block)); for SMC_ALL also
 *         compare.result (aggregate): m-1 messages, 1 round. Runs of 2^17 values follow each other.
 */
#ifndef SMC_COMPARE_COMPARE_H
#define SMC_COMPARE_COMPARE_H

#include "smc/smc.h"

/* Public bounds may be at most this. */
#define COMPARE_MAX_BOUND (INT64_C(1) << 61)

/* Part of a group: at least `need` of its `size` components must reach their thresholds. */
typedef struct compare_block {
    size_t size, need;
} compare_block;

/* Sums in groups of components, which are stored block after block and group after group. Only the
 * values are private. All parties promise that every sum is in -bound … bound. */
typedef struct compare_sums {
    const int64_t *values;
    const int64_t *thresholds;
    size_t n_groups;
    const compare_block *blocks; /* [n_blocks] of every group; NULL: groups are single sums */
    size_t n_blocks;
    int64_t bound;
} compare_sums;

/* Bit g: in every block of group g, `need` sums or more are at least their thresholds. Opens no
 * more than that one bit per group. `out` is packed (smc.h), written at receivers only, and may be
 * NULL elsewhere. */
kith_status compare_thresholds(party *p, uint64_t *out, const compare_sums *sums, smc_output output,
                               kith_error *error) KITH_MUST_USE;

#endif
