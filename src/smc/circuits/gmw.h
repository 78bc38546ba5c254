/* Boolean circuits between two parties, A and B, on bits that they hold in two XOR shares.
 *
 * From:   Goldreich, Micali, Wigderson (1987) with Beaver's triples; triples from random transfers
 *         as Asharov, Lindell, Schneider, Zohner (2013) make them.
 * Model:  semi-honest. m > 2: the hub deals the triples, and may collude with neither A nor B, nor
 *         A with B. m = 2: oblivious transfer.
 * Output: the opened bits at the hub; everything else stays shared.
 * Leaks:  nothing. The hub knows the triples, so opened shares are masked anew before it sees them.
 * Cost:   per AND gate 1 bit of gmw.triple (masked) from the hub to B, none to A (m > 2), or 8
 *         bytes of ot.columns (masked) (m = 2); 2 bits of gmw.and (masked) each way between A
 *         and B. 1 round for the triples (2 if m = 2, 4 more the first time), 1 per layer of gates,
 *         1 for gmw.open (masked).
 *
 * Vectors of gates are packed into words: one gmw_and is one layer. XOR is free, NOT is XOR at A.
 *
 * Invariants: over A and B, c = a AND b for every triple; no triple is used twice (`n_used` only
 * grows, up to `n_gates`), and a circuit is opened at most once.
 */
#ifndef SMC_CIRCUITS_GMW_H
#define SMC_CIRCUITS_GMW_H

#include "smc/smc.h"

typedef struct gmw gmw;

/* Makes triples for `n_gates` words of AND gates. All parties call it; those that are neither A, B
 * nor the hub do nothing. A step of a call, which may contain one circuit only; it lives as long as
 * the call. */
kith_status gmw_new(gmw **out, const smc_call *call, size_t n_gates,
                    kith_error *error) KITH_MUST_USE;

const smc_call *gmw_call(const gmw *g);
/* For A and B: the share of a word of ones, which is all ones at A and 0 at B. */
uint64_t gmw_ones(const gmw *g);

/* z = x AND y, for A and B only; z may be x or y. BUG if the triples are used up. */
kith_status gmw_and(gmw *g, uint64_t *z, const uint64_t *x, const uint64_t *y, size_t words,
                    kith_error *error) KITH_MUST_USE;

/* Opens shares to the hub, which gets the bits in `out`; `shares` is read at A and B. All call it,
 * once. */
kith_status gmw_open(gmw *g, uint64_t *out, const uint64_t *shares, size_t words,
                     kith_error *error) KITH_MUST_USE;

#endif
