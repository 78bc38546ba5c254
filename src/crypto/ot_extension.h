/* Oblivious transfer extension of random bits: SoftSpoken (Roy 2022), for semi-honest parties, with
 * trees of 16 leaves.
 *
 * After 128 base transfers with the roles exchanged, the receiver knows 32 trees of seeds (ggm.h),
 * the sender all leaves but one of each. Which ones it does not know is its secret of 128 bits,
 * Delta. Every block of up to OT_EXTENSION_BLOCK transfers then costs one message of 4 bytes per
 * transfer from the receiver, and symmetric cryptography only. The sender gets two random bits per
 * transfer, the receiver the one that its choice names.
 *
 * With r_x the stream of leaf x, both add up, for each tree, u = sum_x r_x and, for b = 0 … 3, v_b:
 * the sum of those whose x has bit b. The receiver sends d = u + its choices, and keeps the v as
 * 128 columns. The sender's are v_b + Delta_b (u + d): the leaf that it does not know falls out, and
 * what is left is the receiver's column plus Delta_b times the choices. So rows are equal where the
 * choice is 0, and differ by Delta where it is 1; hashes of them are the bits.
 *
 * Invariants: streams continue from block to block, and the number of a transfer since the base
 * transfers enters its hash, so that nothing is ever used twice. Sender and receiver have done the
 * same number of transfers, a multiple of 64.
 *
 * Streams: AES-128 in counter mode under the leaf. Hash: H(x, i) = pi(pi(x) ^ i) ^ pi(x), where pi is
 * AES-128 under a key of the run (Guo, Katz, Wang, Yu 2020: correlation robust for an ideal
 * permutation). Constant time in all secrets. Nothing checks a peer that deviates: it can learn the
 * sender's Delta, which is new in each run and direction. */
#ifndef CRYPTO_OT_EXTENSION_H
#define CRYPTO_OT_EXTENSION_H

#include <stddef.h>
#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"
#include "crypto/base_ot.h"
#include "crypto/ggm.h"

enum {
    OT_EXTENSION_BLOCK = 8192,                    /* transfers in one message, at most */
    OT_EXTENSION_WORDS = OT_EXTENSION_BLOCK / 64, /* words of one column */
    OT_EXTENSION_DEPTH = 4,                       /* of a tree */
    OT_EXTENSION_TREES = BASE_OTS / OT_EXTENSION_DEPTH,
    OT_EXTENSION_MESSAGE_WORDS =
        OT_EXTENSION_TREES * OT_EXTENSION_WORDS /* of a full message: 32 KB */
};

/* The sums of each level of each tree, left and right, each masked by a base transfer's key. */
typedef struct ot_extension_trees {
    ggm_seed sums[BASE_OTS][2];
} ot_extension_trees;

typedef struct ot_extension_sender ot_extension_sender;
typedef struct ot_extension_receiver ot_extension_receiver;

/* The sender chose `choices` in the base transfers and got `keys`; the receiver offered and has
 * both, and makes the trees. `hash_key` is the same at both and need not be secret. Wiped with the
 * arena. */
kith_status ot_extension_sender_new(ot_extension_sender **out, arena *memory,
                                    const uint64_t choices[BASE_OTS / 64], const base_ot_keys *keys,
                                    const ot_extension_trees *trees,
                                    const unsigned char hash_key[16],
                                    kith_error *error) KITH_MUST_USE;
kith_status ot_extension_receiver_new(ot_extension_receiver **out, arena *memory,
                                      const base_ot_keys *zero, const base_ot_keys *one,
                                      ot_extension_trees *trees, const unsigned char hash_key[16],
                                      kith_error *error) KITH_MUST_USE;

/* 64 x words transfers, words <= OT_EXTENSION_WORDS. `message` has OT_EXTENSION_TREES x words words; `bits`
 * holds the chosen bits, `zeros` and `ones` the sender's, one bit per transfer. */
kith_status ot_extension_receiver_block(ot_extension_receiver *r, uint64_t *message, uint64_t *bits,
                                        const uint64_t *choices, size_t words,
                                        kith_error *error) KITH_MUST_USE;
kith_status ot_extension_sender_block(ot_extension_sender *s, uint64_t *zeros, uint64_t *ones,
                                      const uint64_t *message, size_t words,
                                      kith_error *error) KITH_MUST_USE;

#endif
