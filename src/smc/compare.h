/* Is the sum of private values at least so much?
 *
 * From:   SDC section 8.2.2 (vector dominance), with a circuit of Goldreich, Micali and Wigderson:
 *         the sign of u + v - k modulo 2^b, by a carry tree of logarithmic depth on
 *         b = ceil(log2(bound + 1)) + 2 bits.
 * Model:  semi-honest. m > 2: no two of A, B and the hub may collude (A, B: the two parties after
 *         the hub, which deals); m = 2: oblivious transfer.
 * Output: "compare" (aggregate) or "dominates" (aggregate), one bit per sum or group, at the
 *         receiver.
 * Leaks:  nothing; `dominates` does not say which component failed.
 * Cost:   shared.share (masked): m-2 messages of 8n bytes; about 3b gates per value, which cost
 *         gmw.triple (masked), gmw.and (masked) and gmw.open (masked) as in gmw.h; if m = 2, also
 *         ot.columns (masked), and the first time ot.offer (blinded) and ot.answer (blinded).
 *         Rounds: ceil(log2(b - 1)) + 3, and ceil(log2(size)) more for groups; for SMC_ALL also
 *         compare.result (aggregate): m-1 messages, 1 round. Runs of 2^17 values follow each other.
 */
#ifndef SMC_COMPARE_H
#define SMC_COMPARE_H

#include "smc/smc.h"

/* Public bounds may be at most this. */
#define COMPARE_MAX_BOUND (INT64_C(1) << 61)

/* Bit i: sum of value[i] >= least[i]. All parties promise that every sum lies in -bound … bound.
 * `out` is packed (smc.h), written at receivers only, and may be NULL elsewhere. */
kith_status compare_at_least(party *p, uint64_t *out, const int64_t *value, const int64_t *least,
                             size_t n, int64_t bound, uint32_t receiver,
                             kith_error *error) KITH_MUST_USE;
/* Bit g: the sums of value[g * size + j] are at least least[g * size + j] for all j < size. */
kith_status compare_dominates(party *p, uint64_t *out, const int64_t *value, const int64_t *least,
                              size_t groups, size_t size, int64_t bound, uint32_t receiver,
                              kith_error *error) KITH_MUST_USE;

/* Part of a group: at least `need` of its `size` components must reach their thresholds. */
typedef struct compare_block {
    size_t size, need;
} compare_block;

/* Bit g: group g, whose components lie block after block, is good in every block. Opens no more
 * than that one bit per group; rounds: for each block with need < size ceil(log2(size)) more. */
kith_status compare_blocks(party *p, uint64_t *out, const int64_t *value, const int64_t *least,
                           size_t groups, const compare_block *block, size_t blocks, int64_t bound,
                           uint32_t receiver, kith_error *error) KITH_MUST_USE;

/* As parts of another primitive, without an entry of their own. Every run of values draws a call
 * number, so that no mask and no triple is used twice. */
kith_status compare_blocks_part(party *p, uint64_t *out, const int64_t *value, const int64_t *least,
                                size_t groups, const compare_block *block, size_t blocks,
                                int64_t bound, uint32_t receiver, kith_error *error) KITH_MUST_USE;
kith_status compare_part(party *p, uint64_t *out, const int64_t *value, const int64_t *least,
                         size_t groups, size_t size, int64_t bound, uint32_t receiver,
                         kith_error *error) KITH_MUST_USE;

#endif
