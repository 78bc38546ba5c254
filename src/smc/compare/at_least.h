/* Does the sum of private counts reach a threshold? For small thresholds and more than two parties.
 *
 * From:   SDC's threshold variant of Algorithm 2, on counts instead of bits: the test asks, in
 *         secret order, which of the refused values the sum is (equality_test.h).
 * Model:  semi-honest, m > 2: no two of A, B and the hub C may collude (A, B: the two parties after
 *         the hub); other coalitions learn nothing. C sees at most one equal pair per sum, at a
 *         place that is secret; all other pairs are uniform and unequal: perfect.
 * Output: "at least" (aggregate), or what the caller calls it, n bits, at the receiver.
 * Leaks:  nothing.
 * Cost:   s = threshold + slack, the number of refused values: shared.share (masked): m-2 messages
 *         of n bytes; at_least.test (masked): 2 messages of the sum of all s bytes; 2 rounds; for
 *         SMC_ALL also at_least.result (aggregate): m-1 messages of n/8 bytes, 1 round. */
#ifndef SMC_COMPARE_AT_LEAST_H
#define SMC_COMPARE_AT_LEAST_H

#include "smc/smc.h"

/* Sums and their thresholds, n each. Values are private and may be negative: all parties promise
 * that the negative values of one sum add up to -slack or more. All else is public. */
typedef struct at_least_sums {
    const int64_t *values;
    const int64_t *thresholds; /* >= 1 */
    size_t n;
    uint32_t slack;
} at_least_sums;

/* Whether m parties can use it for this threshold: sums must stay below the prime. */
bool at_least_fits(uint32_t m, uint32_t threshold, uint32_t slack);

/* Bit i: the sum of values[i] is at least thresholds[i]. `out` is packed (smc.h), written at
 * receivers only, and may be NULL elsewhere. */
kith_status at_least(party *p, uint64_t *out, const at_least_sums *sums, smc_output output,
                     kith_error *error) KITH_MUST_USE;

#endif
