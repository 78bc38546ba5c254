/* Boolean circuits between two parties, A and B, on bits that they hold in two XOR shares.
 *
 * From:   Goldreich, Micali, Wigderson (1987) with Beaver's triples; triples from random transfers
 *         as Asharov, Lindell, Schneider, Zohner (2013) make them.
 * Model:  semi-honest. m > 2: the hub deals the triples, and may collude with neither A nor B, nor
 *         A with B. m = 2: oblivious transfer.
 * Output: the opened bits at the hub; everything else stays shared.
 * Leaks:  nothing. The hub knows the triples, so opened shares are masked anew before it sees them.
 * Cost:   per AND gate 1 bit of gmw.triple (masked) from the hub to B, none to A (m > 2), or 32
 *         bytes of ot.columns (masked) (m = 2); 2 bits of gmw.and (masked) each way between A
 *         and B. 1 round for the triples (2 if m = 2, 4 more the first time), 1 per layer of gates,
 *         1 for gmw.open (masked).
 *
 * Vectors of gates are packed into words: one gmw_and is one layer. XOR is free, NOT is XOR at A.
 */
#ifndef SMC_GMW_H
#define SMC_GMW_H

#include "smc/smc.h"

typedef struct gmw gmw;

/* Makes triples for `gates` words of AND gates. All parties call it; those that are neither A, B
 * nor the hub do nothing. Gone with `scratch`. */
kith_status gmw_new(gmw **out, party *p, arena *scratch, smc_roles roles, size_t gates,
                    uint64_t call, kith_error *error) KITH_MUST_USE;

/* z = x AND y, for A and B only; z may be x or y. BUG if the triples are used up. */
kith_status gmw_and(gmw *g, uint64_t *z, const uint64_t *x, const uint64_t *y, size_t words,
                    kith_error *error) KITH_MUST_USE;

/* Opens shares to the hub, which gets the bits in `out`; `share` is read at A and B. All call it.
 */
kith_status gmw_open(gmw *g, uint64_t *out, const uint64_t *share, size_t words,
                     kith_error *error) KITH_MUST_USE;

#endif
