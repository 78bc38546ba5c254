/* AND and OR of the private bits of two parties, by one oblivious transfer per bit: see logic.h. */
#ifndef SMC_LOGIC_PAIR_H
#define SMC_LOGIC_PAIR_H

#include "smc/smc.h"

/* AND, or OR (negated inputs and output); `out` is written at `receiver` only. */
kith_status logic_pair(party *p, uint64_t *out, const uint64_t *in, size_t n, bool is_or,
                       uint32_t receiver, arena *scratch, kith_error *error) KITH_MUST_USE;

#endif
