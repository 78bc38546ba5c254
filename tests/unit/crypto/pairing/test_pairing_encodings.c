/* Encodings of G1, G2 and GT: good ones come back as they were, and everything else that a peer
 * could send is refused. Bad elements are made with blst's own functions. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include <blst.h>
#include <blst_aux.h>
#include <sodium.h>

#include "crypto/pairing/pairing.h"

enum { FIELD_BYTES = 48, TRIES = 20 };

static const char field_order[] = "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf"
                                  "6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab";
static unsigned char p[FIELD_BYTES];
static const char group_order[] =
    "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001";
static unsigned char q[SCALAR_Q_BYTES]; /* big-endian, as p */

static int ready(void **state)
{
    (void)state;
    return sodium_init() < 0 ||
           sodium_hex2bin(p, sizeof p, field_order, sizeof field_order - 1, NULL, NULL, NULL) !=
               0 ||
           sodium_hex2bin(q, sizeof q, group_order, sizeof group_order - 1, NULL, NULL, NULL) != 0;
}

/* Adds p to a big-endian number; false if the result has more than `bits` bits. */
static bool add_p(unsigned char number[FIELD_BYTES], unsigned bits)
{
    unsigned carry = 0;
    for (unsigned i = FIELD_BYTES; i-- > 0;) {
        carry += number[i] + p[i];
        number[i] = (unsigned char)carry;
        carry >>= 8;
    }
    return carry == 0 && (bits == 8 * FIELD_BYTES || number[0] >> (bits - 376) == 0);
}

static void some_g1(unsigned char bytes[G1_BYTES])
{
    scalar_q s;
    g1 a;
    pairing_g1_generator(&a);
    pairing_scalar_random(&s);
    pairing_g1_multiply(&a, &a, &s);
    pairing_g1_format(bytes, &a);
}

static void some_g2(unsigned char bytes[G2_BYTES])
{
    scalar_q s;
    g2 a;
    pairing_g2_generator(&a);
    pairing_scalar_random(&s);
    pairing_g2_multiply(&a, &a, &s);
    pairing_g2_format(bytes, &a);
}

static void some_gt(gt *out)
{
    unsigned char bytes[G1_BYTES];
    g1 a;
    g2 h;
    some_g1(bytes);
    assert_true(pairing_g1_parse(&a, bytes));
    pairing_g2_generator(&h);
    pairing_e(out, &a, &h);
}

/* --- what is accepted --- */

static void good_encodings_come_back(void **state)
{
    (void)state;
    unsigned char bytes[GT_BYTES], again[GT_BYTES];
    for (unsigned i = 0; i < TRIES; i++) {
        g1 a;
        g2 b;
        gt c, d;
        some_g1(bytes);
        bytes[0] ^= i % 2 ? 0x20 : 0; /* the negative is as good */
        assert_true(pairing_g1_parse(&a, bytes));
        pairing_g1_format(again, &a);
        assert_memory_equal(bytes, again, G1_BYTES);
        some_g2(bytes);
        bytes[0] ^= i % 2 ? 0x20 : 0;
        assert_true(pairing_g2_parse(&b, bytes));
        pairing_g2_format(again, &b);
        assert_memory_equal(bytes, again, G2_BYTES);
        some_gt(&c);
        pairing_gt_format(bytes, &c);
        assert_true(pairing_gt_parse(&d, bytes));
        assert_true(pairing_gt_equal(&c, &d));
        pairing_gt_format(again, &d);
        assert_memory_equal(bytes, again, GT_BYTES);
    }
}

/* Encodings are what other programs know: of the generators, as the draft on pairing-friendly
 * curves has their coordinates. */
static void knows_the_generators(void **state)
{
    (void)state;
    static const char g_hex[] = "97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905"
                                "a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb",
                      h_hex[] = "93e02b6052719f607dacd3a088274f65596bd0d09920b61a"
                                "b5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e"
                                "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02"
                                "b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8";
    unsigned char bytes[G2_BYTES];
    char hex[2 * G2_BYTES + 1];
    g1 g;
    g2 h;
    pairing_g1_generator(&g);
    pairing_g1_format(bytes, &g);
    assert_string_equal(sodium_bin2hex(hex, sizeof hex, bytes, G1_BYTES), g_hex);
    pairing_g2_generator(&h);
    pairing_g2_format(bytes, &h);
    assert_string_equal(sodium_bin2hex(hex, sizeof hex, bytes, G2_BYTES), h_hex);
    /* The first coefficient of e(g, h), on which RELIC, zkcrypto and noble agree. */
    unsigned char e_bytes[GT_BYTES];
    gt e;
    pairing_e(&e, &g, &h);
    pairing_gt_format(e_bytes, &e);
    assert_string_equal(sodium_bin2hex(hex, sizeof hex, e_bytes, FIELD_BYTES),
                        "1250ebd871fc0a92a7b2d83168d0d727272d441befa15c50"
                        "3dd8e90ce98db3e7b6d194f60839c508a84305aaca1789b6");
}

/* --- G1 and G2 --- */

/* The flags are the top bits of the first byte: compressed 0x80, infinity 0x40, sign 0x20. */
static void refuses_flags_and_infinity(void **state)
{
    (void)state;
    static const unsigned char firsts[] = {0xc0, 0xe0, 0x40, 0x60, 0x80, 0xa0, 0x00, 0x20};
    unsigned char bytes[G2_BYTES], good[G2_BYTES];
    g1 a;
    g2 b;
    for (unsigned i = 0; i < sizeof firsts; i++) {
        memset(bytes, 0, sizeof bytes);
        bytes[0] = firsts[i];
        assert_false(pairing_g1_parse(&a, bytes));
        assert_false(pairing_g2_parse(&b, bytes));
    }
    some_g1(good);
    memcpy(bytes, good, G1_BYTES);
    bytes[0] &= 0x7f;
    assert_false(pairing_g1_parse(&a, bytes));
    bytes[0] = good[0] | 0x40;
    assert_false(pairing_g1_parse(&a, bytes));
    some_g2(good);
    memcpy(bytes, good, G2_BYTES);
    bytes[0] &= 0x7f;
    assert_false(pairing_g2_parse(&b, bytes));
    bytes[0] = good[0] | 0x40;
    assert_false(pairing_g2_parse(&b, bytes));
    for (unsigned i = 0; i < 3; i++) { /* the free bits of the second coordinate */
        memcpy(bytes, good, G2_BYTES);
        bytes[FIELD_BYTES] |= (unsigned char)(0x20 << i);
        assert_false(pairing_g2_parse(&b, bytes));
    }
}

/* Coordinates plus p, which are the same modulo p; there is room for it if they are small. */
static void refuses_coordinates_beyond_p(void **state)
{
    (void)state;
    unsigned char bytes[G2_BYTES], number[FIELD_BYTES], flags;
    unsigned found = 0;
    g1 a;
    g2 b;
    while (found < TRIES) {
        some_g1(bytes);
        flags = bytes[0] & 0xe0;
        memcpy(number, bytes, FIELD_BYTES);
        number[0] &= 0x1f;
        if (!add_p(number, 381))
            continue;
        memcpy(bytes, number, FIELD_BYTES);
        bytes[0] |= flags;
        assert_false(pairing_g1_parse(&a, bytes));
        found++;
    }
    for (unsigned at = 0; at < 2; at++)
        for (found = 0; found < TRIES;) {
            some_g2(bytes);
            flags = at == 0 ? bytes[0] & 0xe0 : 0;
            memcpy(number, bytes + at * FIELD_BYTES, FIELD_BYTES);
            number[0] &= 0x1f;
            if (!add_p(number, at == 0 ? 381 : 384))
                continue;
            memcpy(bytes + at * FIELD_BYTES, number, FIELD_BYTES);
            bytes[at * FIELD_BYTES] |= flags;
            assert_false(pairing_g2_parse(&b, bytes));
            found++;
        }
}

/* Random coordinates: half of them are on no point, nearly all others on a point outside. */
static void refuses_points_outside(void **state)
{
    (void)state;
    unsigned nowhere[2] = {0}, outside[2] = {0};
    while (nowhere[0] < TRIES || nowhere[1] < TRIES || outside[0] < TRIES || outside[1] < TRIES) {
        unsigned char bytes[G2_BYTES];
        blst_p1_affine point;
        blst_p2_affine other;
        g1 a;
        g2 b;
        randombytes_buf(bytes, sizeof bytes);
        bytes[0] = 0x80 | (bytes[0] & 0x2f); /* below 2^380, and so below p */
        bytes[FIELD_BYTES] &= 0x0f;
        BLST_ERROR error = blst_p1_uncompress(&point, bytes);
        assert_true(error == BLST_SUCCESS || error == BLST_POINT_NOT_ON_CURVE);
        (error == BLST_SUCCESS ? outside : nowhere)[0]++;
        assert_false(pairing_g1_parse(&a, bytes));
        error = blst_p2_uncompress(&other, bytes);
        assert_true(error == BLST_SUCCESS || error == BLST_POINT_NOT_ON_CURVE);
        (error == BLST_SUCCESS ? outside : nowhere)[1]++;
        assert_false(pairing_g2_parse(&b, bytes));
    }
    /* The points of order 3 of G1's curve: x = 0. */
    unsigned char bytes[G1_BYTES] = {0x80};
    g1 a;
    assert_false(pairing_g1_parse(&a, bytes));
}

/* --- GT --- */

static bool accepts(const blst_fp12 *f)
{
    unsigned char bytes[GT_BYTES];
    gt out;
    blst_bendian_from_fp12(bytes, f);
    return pairing_gt_parse(&out, bytes);
}

static void refuses_coefficients_beyond_p(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 12; i++) {
        unsigned char bytes[GT_BYTES];
        gt a;
        some_gt(&a);
        pairing_gt_format(bytes, &a);
        assert_true(pairing_gt_parse(&a, bytes));
        assert_true(add_p(bytes + (size_t)i * FIELD_BYTES, 384));
        assert_false(pairing_gt_parse(&a, bytes));
        pairing_gt_format(bytes, &a);
        memset(bytes + (size_t)i * FIELD_BYTES, 0xff, FIELD_BYTES);
        assert_false(pairing_gt_parse(&a, bytes));
    }
}

static void refuses_trivial_elements(void **state)
{
    (void)state;
    blst_fp12 f;
    memset(&f, 0, sizeof f);
    assert_false(accepts(&f));
    f = *blst_fp12_one();
    assert_false(accepts(&f));
    blst_fp_cneg(&f.fp6[0].fp2[0].fp[0], &f.fp6[0].fp2[0].fp[0], true); /* -1, of order 2 */
    assert_false(accepts(&f));
}

static void power_of_q(blst_fp12 *out, const blst_fp12 *a)
{
    blst_fp12 result = *blst_fp12_one();
    for (unsigned i = 0; i < 8 * sizeof q; i++) {
        blst_fp12_sqr(&result, &result);
        if (q[i / 8] >> (7 - i % 8) & 1)
            blst_fp12_mul(&result, &result, a);
    }
    *out = result;
}

static void refuses_elements_of_other_orders(void **state)
{
    (void)state;
    for (unsigned i = 0; i < TRIES; i++) {
        blst_fp12 f, conjugate, cyclotomic, cofactor, mixed, check;
        gt good;
        unsigned char coefficient[FIELD_BYTES];
        for (unsigned k = 0; k < 12; k++) {
            randombytes_buf(coefficient, sizeof coefficient);
            blst_fp_from_bendian(&f.fp6[k / 6].fp2[k / 2 % 3].fp[k % 2], coefficient);
        }
        assert_false(accepts(&f));
        /* f^((p^6 - 1)(p^2 + 1)): in the cyclotomic subgroup, whose order is q times a cofactor. */
        conjugate = f;
        blst_fp12_conjugate(&conjugate);
        blst_fp12_inverse(&cyclotomic, &f);
        blst_fp12_mul(&cyclotomic, &cyclotomic, &conjugate);
        blst_fp12_frobenius_map(&check, &cyclotomic, 2);
        blst_fp12_mul(&cyclotomic, &cyclotomic, &check);
        assert_false(accepts(&cyclotomic));
        power_of_q(&cofactor, &cyclotomic); /* of an order that divides the cofactor */
        assert_false(blst_fp12_is_one(&cofactor));
        assert_false(accepts(&cofactor));
        some_gt(&good);
        blst_fp12_mul(&mixed, &cofactor, (const blst_fp12 *)&good);
        assert_false(accepts(&mixed));
        /* The witness knows an element of order q. */
        assert_true(accepts((const blst_fp12 *)&good));
        power_of_q(&check, (const blst_fp12 *)&good);
        assert_true(blst_fp12_is_one(&check));
    }
}

static void refuses_changed_bits(void **state)
{
    (void)state;
    unsigned char bytes[GT_BYTES];
    gt a, b;
    some_gt(&a);
    pairing_gt_format(bytes, &a);
    for (unsigned i = 0; i < 8 * GT_BYTES; i += 37) {
        bytes[i / 8] ^= (unsigned char)(1 << i % 8);
        assert_false(pairing_gt_parse(&b, bytes));
        bytes[i / 8] ^= (unsigned char)(1 << i % 8);
    }
    assert_true(pairing_gt_parse(&b, bytes));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_encodings_come_back),
        cmocka_unit_test(knows_the_generators),
        cmocka_unit_test(refuses_flags_and_infinity),
        cmocka_unit_test(refuses_coordinates_beyond_p),
        cmocka_unit_test(refuses_points_outside),
        cmocka_unit_test(refuses_coefficients_beyond_p),
        cmocka_unit_test(refuses_trivial_elements),
        cmocka_unit_test(refuses_elements_of_other_orders),
        cmocka_unit_test(refuses_changed_bits),
    };
    return cmocka_run_group_tests(tests, ready, NULL);
}
