/* Operations on scalars, points and ciphertexts that the library itself does not need: tests reckon
 * with them what its combined forms must give. */
#ifndef SUPPORT_PAIRING_PLAIN_H
#define SUPPORT_PAIRING_PLAIN_H

#include <stdlib.h>
#include <string.h>

#include <blst.h>

#include "crypto/pairing/ibe.h"

static inline void pairing_scalar_of_number(scalar_q *out, uint64_t n)
{
    const uint64_t words[] = {n, 0, 0, 0};
    blst_scalar_from_uint64((blst_scalar *)out, words);
}

static inline void pairing_scalar_add(scalar_q *out, const scalar_q *a, const scalar_q *b)
{
    blst_sk_add_n_check((blst_scalar *)out, (const blst_scalar *)a, (const blst_scalar *)b);
}

static inline bool pairing_g1_equal(const g1 *a, const g1 *b)
{
    unsigned char left[G1_BYTES], right[G1_BYTES];
    pairing_g1_format(left, a);
    pairing_g1_format(right, b);
    return memcmp(left, right, sizeof left) == 0;
}

static inline bool pairing_g2_equal(const g2 *a, const g2 *b)
{
    unsigned char left[G2_BYTES], right[G2_BYTES];
    pairing_g2_format(left, a);
    pairing_g2_format(right, b);
    return memcmp(left, right, sizeof left) == 0;
}

static inline void ibe_quotient(ibe_ciphertext *out, const ibe_ciphertext *a,
                                const ibe_ciphertext *b)
{
    ibe_ciphertext inverse;
    pairing_gt_invert(&inverse.c1, &b->c1);
    pairing_g1_negate(&inverse.c2, &b->c2);
    pairing_g1_negate(&inverse.c3, &b->c3);
    ibe_product(out, a, &inverse);
}

static inline void ibe_power(ibe_ciphertext *out, const ibe_ciphertext *a, const scalar_q *exponent)
{
    pairing_gt_power(&out->c1, &a->c1, exponent);
    pairing_g1_multiply(&out->c2, &a->c2, exponent);
    pairing_g1_multiply(&out->c3, &a->c3, exponent);
}

/* Times (A^t, g^t, U(v)^t), a fresh encryption of 1. */
static inline void ibe_rerandomize(ibe_ciphertext *out, const ibe_recipient *r,
                                   const ibe_ciphertext *a)
{
    unsigned char bytes[IBE_PUBLIC_BYTES];
    ibe_ciphertext one;
    scalar_q t;
    ibe_recipient_format(bytes, r);
    if (!pairing_gt_parse(&one.c1, bytes) || !pairing_g1_parse(&one.c3, bytes + GT_BYTES))
        abort();
    pairing_g1_generator(&one.c2);
    pairing_scalar_random(&t);
    ibe_power(&one, &one, &t);
    ibe_product(out, a, &one);
}

#endif
