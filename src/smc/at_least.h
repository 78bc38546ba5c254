/* Is the sum of private counts at least so much? For small thresholds and more than two parties.
 *
 * From:   SDC's threshold variant of Algorithm 2, on counts instead of bits: the test asks, in
 *         secret order, which of the refused values the sum is (equality_test.h).
 * Model:  semi-honest, m > 2: no two of A, B and the hub C may collude (A, B: the two parties after
 *         the hub); other coalitions learn nothing. C sees at most one equal pair per sum, at a
 *         place that is secret; all other pairs are uniform and unequal: perfect.
 * Output: "at least" (aggregate), n bits, at the receiver.
 * Leaks:  nothing.
 * Cost:   s = least + below, the number of refused values: shared.share (masked): m-2 messages of n
 *         bytes; at_least.test (masked): 2 messages of the sum of all s bytes; 2 rounds; for
 *         SMC_ALL also at_least.result (aggregate): m-1 messages of n/8 bytes, 1 round. */
#ifndef SMC_AT_LEAST_H
#define SMC_AT_LEAST_H

#include "smc/smc.h"

/* Whether m parties can use it for this threshold: sums must stay below the prime. */
bool at_least_fits(uint32_t m, uint32_t least, uint32_t below);

/* Bit i: the sum of value[i] is at least least[i] >= 1. Values may be negative, where all parties
 * promise that the negative ones of a sum add up to -below or more. `out` is packed (smc.h),
 * written at receivers only, and may be NULL elsewhere. */
kith_status at_least(party *p, uint64_t *out, const int64_t *value, const int64_t *least, size_t n,
                     uint32_t below, uint32_t receiver, kith_error *error) KITH_MUST_USE;
/* As a part of another protocol, without an entry of its own. */
kith_status at_least_part(party *p, uint64_t *out, const int64_t *value, const int64_t *least,
                          size_t n, uint32_t below, uint32_t receiver,
                          kith_error *error) KITH_MUST_USE;

#endif
