/* The sum of private vectors.
 *
 * Masked sum, the default:
 * From:   protocols of pairwise masks; SDC section 3.1 for the task.
 * Model:  semi-honest; a coalition that leaves two honest parties learns the sum of the honest
 *         inputs and no more, as from the output itself.
 * Output: "sum" (aggregate, n) at the receiver.
 * Leaks:  nothing.
 * Cost:   sum.share (masked): m-1 messages of 8n bytes, 1 round; for SMC_ALL also sum.result
 *         (aggregate): m-1 messages of 8n bytes, 1 round more.
 *
 * Ring sum:
 * From:   SDC Algorithm 1, as printed; Player 1 is the receiver.
 * Model:  semi-honest, no collusion: the two neighbours of a party together learn its input.
 * Output: "sum" (aggregate, n) at the receiver.
 * Leaks:  nothing.
 * Cost:   sum.ring (masked): 2m-1 messages of 8n bytes, then sum.last (aggregate): 1 message; a
 *         chain of 2m rounds; for SMC_ALL also sum.result (aggregate): m-1 messages, 1 round more.
 */
#ifndef SMC_SUM_H
#define SMC_SUM_H

#include "smc/smc.h"

/* value[i] of all parties are added modulo 2^64 (modulus 0) or a modulus below 2^63, of which they
 * must be residues. `sum` is written at receivers only, may be NULL elsewhere and may be `value`.
 */
kith_status sum_masked(party *p, uint64_t *sum, const uint64_t *value, size_t n, uint64_t modulus,
                       uint32_t receiver, kith_error *error) KITH_MUST_USE;
kith_status sum_ring(party *p, uint64_t *sum, const uint64_t *value, size_t n, uint64_t modulus,
                     uint32_t receiver, kith_error *error) KITH_MUST_USE;

/* INVALID unless all values are residues. */
kith_status sum_check(const uint64_t *value, size_t n, uint64_t modulus,
                      kith_error *error) KITH_MUST_USE;

#endif
