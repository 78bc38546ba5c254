/* The union of private rows, without saying whose they are.
 *
 * From:   mix network: rows of one length in nested sealed boxes (libsodium's crypto_box_seal), one
 *         layer per party; each party in turn peels one layer and shuffles.
 * Model:  semi-honest. Rows cannot be traced to their owner, among honest owners, by a coalition
 *         that leaves one honest party (X25519, XSalsa20, Poly1305). Everyone can subtract its own
 *         rows from the output: with two parties nothing is hidden but the order.
 * Output: "union" (aggregate), the distinct rows, or all of them, sorted, at all parties.
 * Leaks:  without a public capacity, "union.counts" (aggregate), m values: how many rows each party
 *         has, at party 0, which collects; and "union.total" (aggregate): how many there are before
 *         duplicates are dropped, at the others, if the output does not say. With a capacity every
 *         party fills up to it, and these are known beforehand. Distinct rows only:
 *         "union.multiplicities" (aggregate): how often each row occurs, at the last party.
 * Cost:   union.key (control): 32 bytes, exchanged; with N rows in all (m times the capacity, if
 *         there is one) of L bytes: union.size (aggregate) and union.boxes (blinded): m-1 messages
 *         to party 0 and m-1 from party to party, of up to N (L + 1 + 48m) bytes; union.size and
 * union.rows (aggregate): m-1 messages; m+2 rounds; 2 multiplications on Curve25519 per row and
 * layer.
 */
#ifndef SMC_SETS_MIX_UNION_H
#define SMC_SETS_MIX_UNION_H

#include "smc/smc.h"

/* Rows lie one after the other. */
typedef struct mix_union_rows {
    unsigned char *bytes;
    size_t count;
} mix_union_rows;

/* Public: the length of a row, whether duplicates are kept, and a number of rows up to which every
 * party fills with empty ones (0: numbers of rows are disclosed). */
typedef struct mix_union_shape {
    size_t row_bytes;
    bool multiset;
    size_t capacity;
} mix_union_shape;

/* `out` lives in party_memory. */
kith_status mix_union(party *p, mix_union_rows *out, const mix_union_rows *mine,
                      mix_union_shape shape, kith_error *error) KITH_MUST_USE;

#endif
