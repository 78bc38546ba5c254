/* The sum of private vectors, held in two shares.
 *
 * From:   SDC Algorithm 2, steps 1 to 8, with pairwise masks in place of the ring: see logic.h for
 *         the other steps.
 * Model:  semi-honest; A and B may not collude. A coalition without A learns nothing from messages,
 *         one with A and without B sees uniform vectors only.
 * Output: u at A and v at B, each uniform by itself, u + v = the sum.
 * Leaks:  nothing.
 * Cost:   shared.share (masked): m-2 messages of 8n bytes (bytes: n), 1 round; none if m = 2. */
#ifndef SMC_SUMS_SHARED_SUM_H
#define SMC_SUMS_SHARED_SUM_H

#include "smc/smc.h"

/* A step of a call, which may contain one shared sum only: a second one would use the same masks.
 * `shares` may be NULL at parties other than A and B and may be `values`. Modulus 0 is 2^64, others
 * are below 2^63. */
kith_status shared_sum(const smc_call *call, uint64_t *shares, const uint64_t *values, size_t n,
                       uint64_t modulus, kith_error *error) KITH_MUST_USE;
/* For residues that fit a byte; 2 <= modulus <= 251. */
kith_status shared_sum_bytes(const smc_call *call, uint8_t *shares, const uint8_t *values, size_t n,
                             unsigned modulus, kith_error *error) KITH_MUST_USE;

#endif
