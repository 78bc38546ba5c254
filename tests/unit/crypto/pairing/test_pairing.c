/* Pairings: powers against plain square-and-multiply, bilinearity, and encodings that are refused.
 * blst's own functions are the witnesses. */
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
#include "crypto/pairing/pairing_internal.h"
#include "support/pairing_plain.h"

static int ready(void **state)
{
    (void)state;
    return sodium_init() < 0 ? -1 : 0;
}

/* Exponents at the edges: of q, of its digits in base z, of words and of signed windows. */
static const char *const edges[] = {
    "00",
    "01",
    "02",
    "0f",
    "10",
    "11",
    "1f",
    "20",
    "ffffffffffffffff",                 /* 2^64 - 1 */
    "010000000000000000",               /* 2^64 */
    "010000000000000001",               /* 2^64 + 1 */
    "d20100000000ffff",                 /* z - 1 */
    "d201000000010000",                 /* z */
    "d201000000010001",                 /* z + 1 */
    "ac45a4010001a40200000000fffffffe", /* z^2 - 1 */
    "ac45a4010001a40200000000ffffffff", /* z^2 */
    "ffffffffffffffffffffffffffffffff", /* 2^128 - 1 */
    "0100000000000000000000000000000000",
    "8421084210842108421084210842108421084210842108421084210842108421", /* reduced; windows of 5 */
    "7bdef7bdef7bdef7bdef7bdef7bdef7bdef7bdef7bdef7bdef7bdef7bdef7bde",
    "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000000", /* q - 1 */
    "73eda753299d7d483339d80809a1d80553bda402fffe5bfefffffffeffffffff", /* q - 2 */
    "39f6d3a994cebea4199cec0404d0ec02a9ded2017fff2dff7fffffff80000000", /* (q - 1) / 2 */
};
enum { EDGES = sizeof edges / sizeof *edges, RANDOM = 12, EXPONENTS = EDGES + RANDOM };

/* The i-th exponent to try: first the edges, then random ones. */
static void exponent(scalar_q *out, unsigned i)
{
    unsigned char be[32], wide[PAIRING_HASH_BYTES] = {0};
    size_t length;
    if (i >= EDGES) {
        pairing_scalar_random(out);
        return;
    }
    assert_int_equal(sodium_hex2bin(be, sizeof be, edges[i], strlen(edges[i]), NULL, &length, NULL),
                     0);
    for (size_t k = 0; k < length; k++)
        wide[k] = be[length - 1 - k];
    pairing_scalar_of_hash(out, wide);
}

/* The witness: square and multiply, nothing else. */
static void slow_power(gt *out, const gt *a, const scalar_q *s)
{
    blst_fp12 result = *blst_fp12_one(), base;
    memcpy(&base, a, sizeof base);
    for (unsigned i = 256; i-- > 0;) {
        blst_fp12_mul(&result, &result, &result);
        if (s->bytes[i / 8] >> i % 8 & 1)
            blst_fp12_mul(&result, &result, &base);
    }
    memcpy(out, &result, sizeof *out);
}

static void slow_multiple(g1 *out, const g1 *a, const scalar_q *s)
{
    blst_p1 result, base;
    memset(&result, 0, sizeof result);
    memcpy(&base, a, sizeof base);
    for (unsigned i = 256; i-- > 0;) {
        blst_p1_double(&result, &result);
        if (s->bytes[i / 8] >> i % 8 & 1)
            blst_p1_add_or_double(&result, &result, &base);
    }
    memcpy(out, &result, sizeof *out);
}

static void some_g1(g1 *out)
{
    scalar_q s;
    pairing_g1_generator(out);
    pairing_scalar_random(&s);
    slow_multiple(out, out, &s);
}

static void some_g2(g2 *out)
{
    scalar_q s;
    pairing_g2_generator(out);
    pairing_scalar_random(&s);
    pairing_g2_multiply(out, out, &s);
}

static void some_gt(gt *out)
{
    g1 a;
    g2 b;
    some_g1(&a);
    some_g2(&b);
    pairing_e(out, &a, &b);
}

/* --- scalars --- */

static void splits_scalars_into_digits(void **state)
{
    (void)state;
    const scalar_q z = {{0, 0, 1, 0, 0, 0, 1, 0xd2}};
    for (unsigned i = 0; i < EXPONENTS; i++) {
        scalar_q s, sum, digit;
        uint64_t d[4];
        exponent(&s, i);
        pairing_digits(d, &s);
        pairing_scalar_of_number(&sum, d[3]);
        for (unsigned k = 3; k-- > 0;) {
            assert_true(d[k] < UINT64_C(0xd201000000010000));
            pairing_scalar_multiply(&sum, &sum, &z);
            pairing_scalar_of_number(&digit, d[k]);
            pairing_scalar_add(&sum, &sum, &digit);
        }
        assert_memory_equal(&sum, &s, sizeof s);
    }
}

static void windows_add_up(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 1000; i++)
        for (unsigned w = 4; w <= 6; w++) {
            uint64_t n;
            __int128 sum = 0;
            randombytes_buf(&n, sizeof n);
            if (i < 130)
                n = i < 65 ? i < 64 ? UINT64_C(1) << i : 0 : ~(UINT64_C(1) << (i - 65) % 64);
            for (unsigned k = 64 / w + 1; k-- > 0;) {
                const pairing_window at = pairing_window_at(&n, 1, w, k);
                assert_true(at.magnitude <= 1u << (w - 1));
                sum = sum * (1 << w) + (at.negative ? -(__int128)at.magnitude : at.magnitude);
            }
            assert_true(sum == (__int128)n);
        }
}

static void scalars_are_a_field(void **state)
{
    (void)state;
    scalar_q a, b, c, minus, left, right;
    const scalar_q zero = {{0}};
    pairing_scalar_random(&a);
    pairing_scalar_random(&b);
    pairing_scalar_random(&c);
    pairing_scalar_add(&left, &a, &b);
    pairing_scalar_multiply(&left, &left, &c);
    pairing_scalar_multiply(&right, &a, &c);
    pairing_scalar_multiply(&minus, &b, &c);
    pairing_scalar_add(&right, &right, &minus);
    assert_memory_equal(&left, &right, sizeof left);
    pairing_scalar_negate(&minus, &a);
    pairing_scalar_add(&minus, &minus, &a);
    assert_memory_equal(&minus, &zero, sizeof zero);
    pairing_scalar_negate(&minus, &zero);
    assert_memory_equal(&minus, &zero, sizeof zero);
    /* 2^512 - 1 modulo q, by repeated doubling. */
    unsigned char ones[PAIRING_HASH_BYTES];
    memset(ones, 0xff, sizeof ones);
    pairing_scalar_of_hash(&left, ones);
    pairing_scalar_of_number(&a, 1);
    right = zero;
    for (unsigned i = 0; i < 512; i++) {
        pairing_scalar_add(&right, &right, &right);
        pairing_scalar_add(&right, &right, &a);
    }
    assert_memory_equal(&left, &right, sizeof left);
}

/* --- G1 --- */

static void multiplies_in_g1(void **state)
{
    (void)state;
    static pairing_g1_fixed fixed;
    pairing_g1_table tables[3];
    const pairing_g1_table *const all[] = {&tables[0], &tables[1], &tables[2]};
    g1 base[3], expected, sum, got;
    scalar_q s[3];
    some_g1(&base[0]);
    base[1] = base[0]; /* sums meet entries of the tables */
    pairing_g1_negate(&base[2], &base[0]);
    pairing_g1_fixed_make(&fixed, &base[0]);
    for (unsigned b = 0; b < 3; b++)
        pairing_g1_table_make(&tables[b], &base[b]);
    for (unsigned i = 0; i < EXPONENTS; i++) {
        exponent(&s[0], i);
        slow_multiple(&expected, &base[0], &s[0]);
        pairing_g1_multiply(&got, &base[0], &s[0]);
        assert_true(pairing_g1_equal(&got, &expected));
        pairing_g1_multiply_fixed(&got, &fixed, &s[0]);
        assert_true(pairing_g1_equal(&got, &expected));
        exponent(&s[1], i);
        exponent(&s[2], EXPONENTS - 1 - i);
        sum = expected;
        for (unsigned b = 1; b < 3; b++) {
            slow_multiple(&expected, &base[b], &s[b]);
            pairing_g1_add(&sum, &sum, &expected);
        }
        pairing_g1_multiply_tables(&got, all, s, 3);
        assert_true(pairing_g1_equal(&got, &sum));
    }
}

static void multiplies_zero_in_g1(void **state)
{
    (void)state;
    static pairing_g1_fixed fixed;
    g1 zero, got;
    scalar_q s;
    memset(&zero, 0, sizeof zero);
    pairing_scalar_random(&s);
    pairing_g1_multiply(&got, &zero, &s);
    assert_true(pairing_g1_is_zero(&got));
    pairing_g1_fixed_make(&fixed, &zero);
    pairing_g1_multiply_fixed(&got, &fixed, &s);
    assert_true(pairing_g1_is_zero(&got));
    pairing_g1_multiply_tables(&got, NULL, NULL, 0);
    assert_true(pairing_g1_is_zero(&got));
}

static void sums_with_weights(void **state)
{
    (void)state;
    enum { N = 5 };
    unsigned char weights[N][PAIRING_WEIGHT_BYTES];
    g1 a[N], sum_a, expected_a, one_a;
    g2 b[N], sum_b, expected_b, one_b;
    randombytes_buf(weights, sizeof weights);
    memset(weights[1], 0, sizeof weights[1]);
    memset(&expected_a, 0, sizeof expected_a);
    memset(&expected_b, 0, sizeof expected_b);
    for (unsigned i = 0; i < N; i++) {
        scalar_q s = {{0}};
        memcpy(s.bytes, weights[i], sizeof weights[i]);
        some_g1(&a[i]);
        some_g2(&b[i]);
        slow_multiple(&one_a, &a[i], &s);
        pairing_g1_add(&expected_a, &expected_a, &one_a);
        pairing_g2_multiply(&one_b, &b[i], &s);
        pairing_g2_add(&expected_b, &expected_b, &one_b);
    }
    pairing_g1_weighted_sum(&sum_a, a, (const unsigned char(*)[PAIRING_WEIGHT_BYTES])weights, N);
    pairing_g2_weighted_sum(&sum_b, b, (const unsigned char(*)[PAIRING_WEIGHT_BYTES])weights, N);
    assert_true(pairing_g1_equal(&sum_a, &expected_a));
    assert_true(pairing_g2_equal(&sum_b, &expected_b));
}

/* --- GT --- */

static void raises_in_gt(void **state)
{
    (void)state;
    static pairing_gt_fixed fixed[2];
    static pairing_gt_table tables[2];
    const pairing_gt_table *const all[] = {&tables[0], &tables[1]};
    const pairing_gt_fixed *const all_fixed[] = {&fixed[0], &fixed[1]};
    gt base[2], expected[2], got;
    scalar_q s[2];
    for (unsigned b = 0; b < 2; b++) {
        some_gt(&base[b]);
        pairing_gt_table_make(&tables[b], &base[b]);
        pairing_gt_fixed_make(&fixed[b], &base[b]);
    }
    for (unsigned i = 0; i < EXPONENTS; i++) {
        exponent(&s[0], i);
        exponent(&s[1], EXPONENTS - 1 - i);
        for (unsigned b = 0; b < 2; b++)
            slow_power(&expected[b], &base[b], &s[b]);
        pairing_gt_power(&got, &base[0], &s[0]);
        assert_true(pairing_gt_equal(&got, &expected[0]));
        pairing_gt_power_fixed(&got, all_fixed, s, 1);
        assert_true(pairing_gt_equal(&got, &expected[0]));
        pairing_gt_multiply(&expected[0], &expected[0], &expected[1]);
        pairing_gt_power_tables(&got, all, s, 2);
        assert_true(pairing_gt_equal(&got, &expected[0]));
        pairing_gt_power_fixed(&got, all_fixed, s, 2);
        assert_true(pairing_gt_equal(&got, &expected[0]));
    }
    pairing_gt_power_tables(&got, NULL, NULL, 0);
    assert_true(pairing_gt_is_one(&got));
    pairing_gt_invert(&got, &base[0]);
    pairing_gt_multiply(&got, &got, &base[0]);
    assert_true(pairing_gt_is_one(&got));
    pairing_gt_power(&got, &got, &s[0]);
    assert_true(pairing_gt_is_one(&got));
}

/* --- the pairing --- */

static void is_bilinear(void **state)
{
    (void)state;
    g1 a, ka;
    g2 b, kb;
    gt ab, left, right, power;
    scalar_q k;
    some_g1(&a);
    some_g2(&b);
    pairing_scalar_random(&k);
    pairing_e(&ab, &a, &b);
    assert_false(pairing_gt_is_one(&ab));
    slow_power(&power, &ab, &k);
    pairing_g1_multiply(&ka, &a, &k);
    pairing_e(&left, &ka, &b);
    pairing_g2_multiply(&kb, &b, &k);
    pairing_e(&right, &a, &kb);
    assert_true(pairing_gt_equal(&left, &power));
    assert_true(pairing_gt_equal(&right, &power));
}

static void multiplies_pairings(void **state)
{
    (void)state;
    static pairing_lines lines[PAIRING_POWERS];
    const pairing_lines *all[PAIRING_POWERS];
    g1 a[PAIRING_POWERS];
    g2 b;
    gt expected, factor, got;
    pairing_gt_one(&expected);
    for (unsigned n = 0; n < PAIRING_POWERS; n++) {
        pairing_product(&got, a, all, n);
        assert_true(pairing_gt_equal(&got, &expected));
        some_g1(&a[n]);
        some_g2(&b);
        if (n == 2)
            memset(&a[n], 0, sizeof a[n]); /* a factor that is one */
        pairing_lines_make(&lines[n], &b);
        all[n] = &lines[n];
        pairing_e(&factor, &a[n], &b);
        pairing_gt_multiply(&expected, &expected, &factor);
    }
    pairing_product(&got, a, all, PAIRING_POWERS);
    assert_true(pairing_gt_equal(&got, &expected));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits_scalars_into_digits),
        cmocka_unit_test(windows_add_up),
        cmocka_unit_test(scalars_are_a_field),
        cmocka_unit_test(multiplies_in_g1),
        cmocka_unit_test(multiplies_zero_in_g1),
        cmocka_unit_test(sums_with_weights),
        cmocka_unit_test(raises_in_gt),
        cmocka_unit_test(is_bilinear),
        cmocka_unit_test(multiplies_pairings),
    };
    return cmocka_run_group_tests(tests, ready, NULL);
}
