/* Is a shared residue one of a few values? Steps 9 and 10 of SDC Algorithm 2, for logic.h and
 * at_least.h.
 *
 * A holds u, B holds v, and u + v modulo EQUALITY_TEST_PRIME is the residue. For every value w
 * asked they draw r != 0 and s from their common seed; A sends r u + s, B sends r (w - v) + s. The
 * hub sees a pair that is equal if the residue is w, else perfectly uniform and unequal; the values
 * of one residue come in an order that is secret and fresh.
 *
 *     step of SDC Algorithm 2                    here
 *     9   Player m computes v = m + r_m          B: w - v (its share v is -r_m), `disguise_apply`
 *     10  output 1 if u = v                      the hub compares disguised values, `compare_pairs`
 *         (threshold: a random permutation of    the order of the values, `disguise_next`
 *         values for t <= i <= m)
 *
 * The paper lets the hub compare h(r + u) and h(r + v) for a hash function h and one random r for
 * all bits of a vector. There are few different values of h then, and the hub could recognize equal
 * ones at different bits; r and s are therefore fresh for every residue and value. */
#ifndef SMC_COMPARE_EQUALITY_TEST_H
#define SMC_COMPARE_EQUALITY_TEST_H

#include "smc/smc.h"

enum { EQUALITY_TEST_PRIME = 251 };

/* Which values are asked about, the same at all parties: first, first + 1, … modulo the prime,
 * counts[i * stride] of them for residue i. A stride of 0 asks the same of all residues. */
typedef struct equality_test_values {
    unsigned first;
    const uint8_t *counts;
    size_t stride;
} equality_test_values;

/* The primitive that asks: the type of its messages and the purpose of its streams. */
typedef struct equality_test_user {
    message_type type;
    const char *purpose;
} equality_test_user;

/* A step of a call, which may contain one test only. Bit i of `equal`, at the hub: residue i is one
 * of its values. `shares` is read at A and B. One byte per value asked from each of A and B, 1
 * round. */
kith_status equality_test(const smc_call *call, uint64_t *equal, const uint8_t *shares, size_t n,
                          equality_test_values values, const equality_test_user *user,
                          kith_error *error) KITH_MUST_USE;

#endif
