/* Oblivious transfer extension (Ishai, Kilian, Nissim, Petrank 2003), of random bits.
 *
 * After 128 base transfers with the roles exchanged, every block of up to OT_EXTENSION_BLOCK
 * transfers costs one message of 16 bytes per transfer from the receiver, and symmetric
 * cryptography only. The sender gets two random bits per transfer, the receiver the one that its
 * choice names.
 *
 * Invariants: key streams continue from block to block, and the number of a transfer since the base
 * transfers enters its hash, so that nothing is ever used twice. Sender and receiver have done the
 * same number of transfers, a multiple of 64.
 *
 * Hash: H(x, i) = pi(pi(x) ^ i) ^ pi(x), where pi is AES-128 under a key of the run (Guo, Katz,
 * Wang, Yu 2020: correlation robust for an ideal permutation). Constant time in all secrets. */
#ifndef CRYPTO_OT_EXTENSION_H
#define CRYPTO_OT_EXTENSION_H

#include <stddef.h>
#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"
#include "crypto/base_ot.h"

enum {
    OT_EXTENSION_BLOCK = 8192,                    /* transfers in one message, at most */
    OT_EXTENSION_WORDS = OT_EXTENSION_BLOCK / 64, /* words of one column */
    OT_EXTENSION_MESSAGE_WORDS = BASE_OTS * OT_EXTENSION_WORDS /* of a full message: 128 KB */
};

typedef struct ot_extension_sender ot_extension_sender;
typedef struct ot_extension_receiver ot_extension_receiver;

/* The sender chose `choices` in the base transfers and got `keys`; the receiver offered and has
 * both. `hash_key` is the same at both and need not be secret. Wiped with the arena. */
kith_status ot_extension_sender_new(ot_extension_sender **out, arena *memory,
                                    const uint64_t choices[BASE_OTS / 64], const base_ot_keys *keys,
                                    const unsigned char hash_key[16],
                                    kith_error *error) KITH_MUST_USE;
kith_status ot_extension_receiver_new(ot_extension_receiver **out, arena *memory,
                                      const base_ot_keys *zero, const base_ot_keys *one,
                                      const unsigned char hash_key[16],
                                      kith_error *error) KITH_MUST_USE;

/* 64 x words transfers, words <= OT_EXTENSION_WORDS. `message` has BASE_OTS x words words; `bits`
 * holds the chosen bits, `zeros` and `ones` the sender's, one bit per transfer. */
kith_status ot_extension_receiver_block(ot_extension_receiver *r, uint64_t *message, uint64_t *bits,
                                        const uint64_t *choices, size_t words,
                                        kith_error *error) KITH_MUST_USE;
kith_status ot_extension_sender_block(ot_extension_sender *s, uint64_t *zeros, uint64_t *ones,
                                      const uint64_t *message, size_t words,
                                      kith_error *error) KITH_MUST_USE;

#endif
