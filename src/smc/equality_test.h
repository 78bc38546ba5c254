/* Is a shared residue one of a few values? The equality test behind logic.h and at_least.h.
 *
 * A holds u, B holds v, and u + v modulo EQUALITY_TEST_PRIME is the residue. For every value w
 * asked they draw r != 0 and s from their common seed; A sends r u + s, B sends r (w - v) + s. The
 * hub sees a pair that is equal if the residue is w, else perfectly uniform and unequal; the values
 * of one residue come in an order that is secret and fresh. A part of a call: it takes its number
 * and makes no entry in the ledger. */
#ifndef SMC_EQUALITY_TEST_H
#define SMC_EQUALITY_TEST_H

#include "smc/smc.h"

enum { EQUALITY_TEST_PRIME = 251 };

/* Values first, first + 1, … modulo the prime; value[i * step] of them are asked of residue i, so
 * that step 0 asks the same of all. */
typedef struct equality_test_values {
    unsigned first;
    const uint8_t *values;
    size_t step;
} equality_test_values;

/* Bit i of `equal`, at the hub: residue i is one of its values. `share` is read at A and B.
 * Messages have the type given: one byte per value asked from each of A and B, 1 round. */
kith_status equality_test(party *p, uint64_t *equal, const uint8_t *share, size_t n,
                          equality_test_values range, smc_roles roles, const message_type *type,
                          const char *purpose, uint64_t call, arena *scratch,
                          kith_error *error) KITH_MUST_USE;

#endif
