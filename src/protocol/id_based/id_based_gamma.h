/* One comparison of Bob: does Alice's list belong to this quasi-identifier of mine, and do our rows
 * together reach k? */
#ifndef PROTOCOL_ID_BASED_ID_BASED_GAMMA_H
#define PROTOCOL_ID_BASED_ID_BASED_GAMMA_H

#include "crypto/pairing/ibe.h"

/* gamma = Z^phi (X / E_A(x, 0))^theta, rerandomized, where phi and theta are fresh and not zero: an
 * encryption of 1 if Z is one and X is one of x, otherwise of a random element. `x` is the exponent
 * of Bob's quasi-identifier, Z the ciphertext Z_(k-y) for its y rows. If y is at least k
 * (`enough`), Z may be any of Alice's ciphertexts, and phi is zero.
 *
 * As printed in IDK 5.3, Z is not raised to a power, and gamma not rerandomized. Then Alice reads
 * Bob's count wherever x matches and the sum is below k, since she has chosen Z's plaintext
 * herself; and she can test guesses of x, since she knows the randomness of X and Z. */
void id_based_gamma(ibe_ciphertext *out, const ibe_recipient *alice, const ibe_powers *x_powers,
                    const ibe_powers *z_powers, const scalar_q *x, bool enough);

#endif
