/* AND and OR of the private bits of two parties, by one oblivious transfer per bit: see logic.h. */
#ifndef SMC_LOGIC_PAIR_H
#define SMC_LOGIC_PAIR_H

#include "smc/smc.h"

/* A step of a call: AND, or OR (negated inputs and output); `out` is written at the hub only. */
kith_status logic_pair(const smc_call *call, uint64_t *out, const uint64_t *in, size_t n,
                       bool is_or, kith_error *error) KITH_MUST_USE;

#endif
