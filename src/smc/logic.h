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
 *         (masked): 16 bytes per bit, n rounded up to 64; logic.choice (masked): n/4 bytes; 2
 * rounds; before the first call of a pair ot.offer (blinded): 32 bytes and ot.answer (blinded):
 *         4,096 bytes, 2 rounds. For SMC_ALL also logic.result (aggregate): m-1 messages of n/8
 * bytes, 1 round. */
#ifndef SMC_LOGIC_H
#define SMC_LOGIC_H

#include "smc/smc.h"

/* Bits lie packed (smc.h). `out` is written at receivers only, may be NULL elsewhere and may be
 * `in`. */
kith_status logic_and(party *p, uint64_t *out, const uint64_t *in, size_t n, uint32_t receiver,
                      kith_error *error) KITH_MUST_USE;
kith_status logic_or(party *p, uint64_t *out, const uint64_t *in, size_t n, uint32_t receiver,
                     kith_error *error) KITH_MUST_USE;
/* 1 <= t <= m. */
kith_status logic_threshold(party *p, uint64_t *out, const uint64_t *in, size_t n, uint32_t t,
                            uint32_t receiver, kith_error *error) KITH_MUST_USE;

/* As part of another primitive, under its call number and without an entry of its own. */
kith_status logic_and_part(party *p, uint64_t *out, const uint64_t *in, size_t n, uint32_t receiver,
                           uint64_t call, kith_error *error) KITH_MUST_USE;

#endif
