/* Base oblivious transfers on ristretto255, 128 at a time (Chou and Orlandi's simplest OT, against
 * semi-honest parties).
 *
 * The offerer ends with two keys per transfer, the chooser with the one that its bit names. The
 * offerer sees points that are uniform whatever the bits are; the chooser cannot compute the other
 * key without solving Diffie-Hellman. Messages are made and read here; sending is the caller's. */
#ifndef CRYPTO_BASE_OT_H
#define CRYPTO_BASE_OT_H

#include <stdbool.h>
#include <stdint.h>

#include "crypto/ristretto.h"

enum { BASE_OTS = 128, BASE_OT_KEY_BYTES = 32 };

typedef struct base_ot_keys {
    unsigned char keys[BASE_OTS][BASE_OT_KEY_BYTES];
} base_ot_keys;

/* Offerer, first message: A = aG for a random scalar a, `secret`, which base_ot_accept wipes. False
 * if A is the identity, which does not happen by chance. */
bool base_ot_offer(scalar *secret, point *offer) __attribute__((warn_unused_result));
/* Chooser, second message: answers and keys for 128 choice bits; false if the offer is not a valid
 * point. */
bool base_ot_choose(point answers[BASE_OTS], base_ot_keys *keys, const point *offer,
                    const uint64_t choices[BASE_OTS / 64]) __attribute__((warn_unused_result));
/* Offerer: both keys; false if an answer is not a valid point. */
bool base_ot_accept(base_ot_keys *zero, base_ot_keys *one, scalar *secret, const point *offer,
                    const point answers[BASE_OTS]) __attribute__((warn_unused_result));

#endif
