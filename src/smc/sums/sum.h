/* The sum of private vectors.
 *
 * From:   protocols of pairwise masks; SDC section 3.1 for the task.
 * Model:  semi-honest; a coalition that leaves two honest parties learns the sum of the honest
 *         inputs and no more, as from the output itself.
 * Output: "sum" (aggregate, n) at the receiver.
 * Leaks:  nothing.
 * Cost:   sum.share (masked): m-1 messages of 8n bytes, 1 round; for SMC_ALL also sum.result
 *         (aggregate): m-1 messages of 8n bytes, 1 round more. */
#ifndef SMC_SUMS_SUM_H
#define SMC_SUMS_SUM_H

#include "smc/smc.h"

/* values[i] of all parties are added modulo 2^64 (modulus 0) or a modulus below 2^63, of which they
 * must be residues. `sums` is written at receivers only, may be NULL elsewhere and may be `values`.
 */
kith_status sum_masked(party *p, uint64_t *sums, const uint64_t *values, size_t n, uint64_t modulus,
                       uint32_t receiver, kith_error *error) KITH_MUST_USE;

#endif
