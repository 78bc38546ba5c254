/* Scalars, elements of G1 and G2, and what the files of pairing.h share. */
#include "crypto/pairing/pairing.h"

#include <string.h>

#include <sodium.h>

#include "core/bytes.h"
#include "core/check.h"
#include "crypto/pairing/pairing_internal.h"
#include "crypto/secret_memory.h"

/* In the form that blst computes with. */
const blst_fp pairing_cube_root = {{
    UINT64_C(0x30f1361b798a64e8),
    UINT64_C(0xf3b8ddab7ece5a2a),
    UINT64_C(0x16a8ca3ac61577f7),
    UINT64_C(0xc26a2ff874fd029b),
    UINT64_C(0x3636b76660701c6e),
    UINT64_C(0x051ba4ab241b6160),
}};

/* --- scalars --- */

void pairing_scalar_of_hash(scalar_q *out, const unsigned char bytes[PAIRING_HASH_BYTES])
{
    blst_scalar_from_le_bytes((blst_scalar *)out, bytes, PAIRING_HASH_BYTES);
}

void pairing_scalar_random(scalar_q *out)
{
    unsigned char wide[PAIRING_HASH_BYTES];
    do {
        secret_memory_random(wide, sizeof wide);
        pairing_scalar_of_hash(out, wide);
    } while (sodium_is_zero(out->bytes, SCALAR_Q_BYTES));
    secret_memory_wipe(wide, sizeof wide);
}

/* blst's functions say whether the result is zero, which is no matter here. */
void pairing_scalar_multiply(scalar_q *out, const scalar_q *a, const scalar_q *b)
{
    blst_sk_mul_n_check((blst_scalar *)out, (const blst_scalar *)a, (const blst_scalar *)b);
}

void pairing_scalar_negate(scalar_q *out, const scalar_q *a)
{
    const scalar_q zero = {{0}};
    blst_sk_sub_n_check((blst_scalar *)out, (const blst_scalar *)&zero, (const blst_scalar *)a);
}

/* (high, low) / z for high < z, by a multiplication with the reciprocal instead of the processor's
 * division, whose time depends on the numbers: Moeller and Granlund, "Improved division by
 * invariant integers" (2011), algorithm 4, with masks for its two corrections. */
static uint64_t pairing_divide(uint64_t *remainder, uint64_t high, uint64_t low)
{
    const uint64_t z = UINT64_C(0xd201000000010000), reciprocal = UINT64_C(0x381204ca56cd56b5);
    const unsigned __int128 estimate =
        (unsigned __int128)reciprocal * high + ((unsigned __int128)high << 64 | low);
    uint64_t quotient = (uint64_t)(estimate >> 64) + 1, r = low - quotient * z;
    const uint64_t above = pairing_mask(r > (uint64_t)estimate);
    quotient += above;
    r += above & z;
    const uint64_t again = pairing_mask(r >= z);
    *remainder = r - (again & z);
    return quotient - again;
}

void pairing_digits(uint64_t d[4], const scalar_q *s)
{
    uint64_t n[4];
    for (unsigned i = 0; i < 4; i++)
        n[i] = bytes_get(s->bytes + (size_t)8 * i, 8);
    for (unsigned k = 0; k < 4; k++) {
        uint64_t remainder = 0;
        for (unsigned i = 4 - k; i-- > 0;)
            n[i] = pairing_divide(&remainder, remainder, n[i]);
        d[k] = remainder;
    }
    secret_memory_wipe(n, sizeof n);
}

pairing_window pairing_window_at(const uint64_t *number, size_t words, unsigned w, unsigned i)
{
    uint64_t bits;
    if (i == 0) {
        bits = number[0] << 1;
    } else {
        const unsigned at = w * i - 1, word = at / 64, shift = at % 64;
        bits = word < words ? number[word] >> shift : 0;
        if (shift != 0 && word + 1 < words)
            bits |= number[word + 1] << (64 - shift);
    }
    bits &= ((uint64_t)2 << w) - 1;
    const uint64_t negative = bits >> w, mask = pairing_mask(negative), half = (bits + 1) >> 1;
    return (pairing_window){
        .magnitude = (unsigned)((half ^ mask) - mask) & ((1u << w) - 1),
        .negative = negative != 0,
    };
}

/* Four entries in a pass, which halves the reads and writes of the result. */
void pairing_select(uint64_t *restrict out, const uint64_t *restrict table, size_t words,
                    unsigned count, unsigned index)
{
    ASSERT(count % 4 == 0);
    memset(out, 0, words * sizeof *out);
    for (unsigned k = 1; k <= count; k += 4, table += 4 * words) {
        uint64_t mask[4];
        for (unsigned j = 0; j < 4; j++)
            mask[j] = pairing_mask(((uint64_t)((k + j) ^ index) - 1) >> 63);
        for (size_t i = 0; i < words; i++)
            out[i] |= (mask[0] & table[i]) | (mask[1] & table[words + i]) |
                      (mask[2] & table[2 * words + i]) | (mask[3] & table[3 * words + i]);
    }
}

/* --- G1 --- */

void pairing_g1_generator(g1 *out)
{
    memcpy(out, blst_p1_generator(), sizeof *out);
}

void pairing_g1_add(g1 *out, const g1 *a, const g1 *b)
{
    blst_p1_add_or_double(p1(out), p1_of(a), p1_of(b));
}

void pairing_g1_negate(g1 *out, const g1 *a)
{
    *out = *a;
    blst_p1_cneg(p1(out), true);
}

bool pairing_g1_is_zero(const g1 *a)
{
    return blst_p1_is_inf(p1_of(a));
}

/* blst refuses coordinates that are not below p, and flags that do not fit; it accepts infinity. */
bool pairing_g1_parse(g1 *out, const unsigned char bytes[G1_BYTES])
{
    blst_p1_affine point;
    if (blst_p1_uncompress(&point, bytes) != BLST_SUCCESS || blst_p1_affine_is_inf(&point) ||
        !blst_p1_affine_in_g1(&point))
        return false;
    blst_p1_from_affine(p1(out), &point);
    return true;
}

void pairing_g1_format(unsigned char bytes[G1_BYTES], const g1 *a)
{
    blst_p1_compress(bytes, p1_of(a));
}

void pairing_g1_weighted_sum(g1 *out, const g1 *elements,
                             const unsigned char (*weights)[PAIRING_WEIGHT_BYTES], size_t n)
{
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < n; i++) {
        g1 one;
        blst_p1_mult(p1(&one), p1_of(&elements[i]), weights[i], 8 * PAIRING_WEIGHT_BYTES);
        pairing_g1_add(out, out, &one);
    }
}

/* --- G2 --- */

void pairing_g2_generator(g2 *out)
{
    memcpy(out, blst_p2_generator(), sizeof *out);
}

void pairing_g2_add(g2 *out, const g2 *a, const g2 *b)
{
    blst_p2_add_or_double(p2(out), p2_of(a), p2_of(b));
}

void pairing_g2_multiply(g2 *out, const g2 *a, const scalar_q *s)
{
    /* blst_p2_mult is twice as fast, but goes another way for zero: secret scalars only make keys,
     * which takes long enough to be rare. */
    blst_p2_unchecked_mult(p2(out), p2_of(a), s->bytes, 255);
}

bool pairing_g2_is_zero(const g2 *a)
{
    return blst_p2_is_inf(p2_of(a));
}

bool pairing_g2_parse(g2 *out, const unsigned char bytes[G2_BYTES])
{
    blst_p2_affine point;
    if (blst_p2_uncompress(&point, bytes) != BLST_SUCCESS || blst_p2_affine_is_inf(&point) ||
        !blst_p2_affine_in_g2(&point))
        return false;
    blst_p2_from_affine(p2(out), &point);
    return true;
}

void pairing_g2_format(unsigned char bytes[G2_BYTES], const g2 *a)
{
    blst_p2_compress(bytes, p2_of(a));
}

void pairing_g2_weighted_sum(g2 *out, const g2 *elements,
                             const unsigned char (*weights)[PAIRING_WEIGHT_BYTES], size_t n)
{
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < n; i++) {
        g2 one;
        blst_p2_mult(p2(&one), p2_of(&elements[i]), weights[i], 8 * PAIRING_WEIGHT_BYTES);
        pairing_g2_add(out, out, &one);
    }
}
