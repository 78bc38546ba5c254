/* AND, OR and "at least t of us" of private bits.
 *
 * From:   SDC Algorithm 2 and its variants for OR and threshold, with another equality test (the
 *         printed one hashes values of a tiny range). Threshold asks which of a set of values the
 *         sum is: the refused ones 0 … t-1, or the accepted ones t … m, whichever are fewer.
 * Model:  semi-honest. m > 2: no two of A, B and the hub C may collude (A, B: the two parties after
 *         the hub); other coalitions learn nothing. C sees pairs that are equal or, perfectly
 *         uniform, unequal, and at most one equal pair per bit at a place that is secret. m = 2:
 *         oblivious transfer (computational: Diffie-Hellman, AES).
 * Output: "and" (aggregate), "or" (aggregate) or "threshold" (aggregate), n, at the receiver.
 * Leaks:  nothing. (m = 2: a party with input 1 of an AND reads the other's bit from the answer.)
 * Cost:   m > 2, s = number of values asked (1 for AND and OR): shared.share (masked): m-2 messages
 *         of n bytes; logic.test (masked): 2 messages of s n bytes; 2 rounds. m = 2: ot.columns
 *         (masked): 4 bytes per bit, n rounded up to 64; logic.choice (masked): n/8 bytes; 2
 *         rounds; before the first call of a pair ot.offer (blinded): 32 bytes, ot.answer (blinded)
 *         and ot.trees (masked): 4,096 bytes each, 2 rounds. For SMC_ALL also logic.result
 *         (aggregate): m-1 messages of n/8 bytes, 1 round.
 *
 * The steps of SDC Algorithm 2, m > 2; Players m - 1, m and 1 are A, B and the hub:
 *
 *     step  paper                                     here
 *     1-4   first trip: a = a + b_i + r_i             shared_sum_bytes: pairwise masks
 *     5-7   second trip: a = a - r_i, up to m - 2     not needed: the masks of all cancel
 *     8     Player m - 1 has u = sum of b_i + r_m     shared_sum_bytes: A has u, B has v = -r_m
 *     9     Player m sets v = m + r_m                 equality_test: B sets w - v; AND: w = m
 *           OR: v = r_m, and step 10 negated          `ask`: w = 0, negated
 *           threshold: v = i + r_m, t <= i <= m       `ask`: the shorter list of values w
 *     10    output 1 if u = v                         equality_test, at the hub
 */
#ifndef SMC_COMPARE_LOGIC_H
#define SMC_COMPARE_LOGIC_H

#include "smc/smc.h"

/* Bits are packed (smc.h). `out` is written at receivers only, may be NULL elsewhere and may be
 * `in`. */
kith_status logic_and(party *p, uint64_t *out, const uint64_t *in, size_t n, uint32_t receiver,
                      kith_error *error) KITH_MUST_USE;
kith_status logic_or(party *p, uint64_t *out, const uint64_t *in, size_t n, uint32_t receiver,
                     kith_error *error) KITH_MUST_USE;
/* 1 <= t <= m. */
kith_status logic_threshold(party *p, uint64_t *out, const uint64_t *in, size_t n, uint32_t t,
                            uint32_t receiver, kith_error *error) KITH_MUST_USE;

/* The AND as a step of another call, which may contain one such step only. */
kith_status logic_and_in_call(const smc_call *call, uint64_t *out, const uint64_t *in, size_t n,
                              kith_error *error) KITH_MUST_USE;

#endif
