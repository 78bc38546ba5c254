/* The pairing e: G1 x G2 -> GT of the curve BLS12-381, by blst.
 *
 * All three groups have the prime order q, the order of scalars; G1 and G2 are written additively,
 * GT multiplicatively. Elements that come from a peer are valid only if a parse function accepted
 * them: canonical encodings of elements of the subgroup of order q, other than the neutral one.
 * Functions take constant time in scalars and elements, except those that end in _vartime. They
 * have no state of their own, so that any number of threads may call them; outputs may be inputs,
 * too. */
#ifndef CRYPTO_PAIRING_PAIRING_H
#define CRYPTO_PAIRING_PAIRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SCALAR_Q_BYTES = 32, G1_BYTES = 48, G2_BYTES = 96, GT_BYTES = 576 };

/* The storage of blst's types; pairing_internal.h asserts that sizes agree. */
typedef struct scalar_q {
    unsigned char bytes[SCALAR_Q_BYTES]; /* little-endian, below q */
} scalar_q;
typedef struct g1 {
    uint64_t words[18];
} g1;
typedef struct g2 {
    uint64_t words[36];
} g2;
typedef struct gt {
    uint64_t words[72];
} gt;

/* --- scalars --- */

/* Uniform, not zero; from the operating system's generator. */
void pairing_scalar_random(scalar_q *out);
/* The value of 64 bytes modulo q: uniform, to 2^-256, if the bytes are. */
enum { PAIRING_HASH_BYTES = 64 };
void pairing_scalar_of_hash(scalar_q *out, const unsigned char bytes[PAIRING_HASH_BYTES]);
void pairing_scalar_multiply(scalar_q *out, const scalar_q *a, const scalar_q *b);
void pairing_scalar_negate(scalar_q *out, const scalar_q *a);

/* --- G1 and G2 --- */

void pairing_g1_generator(g1 *out);
void pairing_g1_add(g1 *out, const g1 *a, const g1 *b);
void pairing_g1_negate(g1 *out, const g1 *a);
void pairing_g1_multiply(g1 *out, const g1 *a, const scalar_q *s);
bool pairing_g1_is_zero(const g1 *a);
bool pairing_g1_parse(g1 *out, const unsigned char bytes[G1_BYTES]);
void pairing_g1_format(unsigned char bytes[G1_BYTES], const g1 *a);

void pairing_g2_generator(g2 *out);
void pairing_g2_add(g2 *out, const g2 *a, const g2 *b);
void pairing_g2_multiply(g2 *out, const g2 *a, const scalar_q *s);
bool pairing_g2_is_zero(const g2 *a);
bool pairing_g2_parse(g2 *out, const unsigned char bytes[G2_BYTES]);
void pairing_g2_format(unsigned char bytes[G2_BYTES], const g2 *a);

/* Sums of n elements times weights of 128 bits, little-endian: for tests of many equations at once,
 * whose weights are no secret afterwards. */
enum { PAIRING_WEIGHT_BYTES = 16 };
void pairing_g1_weighted_sum(g1 *out, const g1 *elements,
                             const unsigned char (*weights)[PAIRING_WEIGHT_BYTES], size_t n);
void pairing_g2_weighted_sum(g2 *out, const g2 *elements,
                             const unsigned char (*weights)[PAIRING_WEIGHT_BYTES], size_t n);

/* Multiples of an element, so that several multiplications share their doublings and that further
 * ones with the same element need no preparation. The elements are public. */
enum { PAIRING_G1_WINDOW = 5, PAIRING_G1_FIXED_WINDOW = 6, PAIRING_G1_FIXED_WINDOWS = 22 };
typedef struct pairing_g1_affine {
    uint64_t words[12];
} pairing_g1_affine;
typedef struct pairing_g1_table {
    pairing_g1_affine multiples[2][1 << (PAIRING_G1_WINDOW - 1)];
} pairing_g1_table;
void pairing_g1_table_make(pairing_g1_table *out, const g1 *a);
/* The sum of s[i] times the element of tables[i], for n <= PAIRING_POWERS. */
enum { PAIRING_POWERS = 4 };
void pairing_g1_multiply_tables(g1 *out, const pairing_g1_table *const *tables, const scalar_q *s,
                                size_t n);

/* The same without any doubling, with larger tables: for elements that are multiplied often. */
typedef struct pairing_g1_fixed {
    pairing_g1_affine multiples[PAIRING_G1_FIXED_WINDOWS][1 << (PAIRING_G1_FIXED_WINDOW - 1)];
} pairing_g1_fixed;
void pairing_g1_fixed_make(pairing_g1_fixed *out, const g1 *a);
void pairing_g1_multiply_fixed(g1 *out, const pairing_g1_fixed *table, const scalar_q *s);

/* --- GT --- */

void pairing_gt_one(gt *out);
void pairing_gt_multiply(gt *out, const gt *a, const gt *b);
/* 1 / a: the conjugate, in the subgroup. */
void pairing_gt_invert(gt *out, const gt *a);
bool pairing_gt_equal(const gt *a, const gt *b);
bool pairing_gt_is_one(const gt *a);
/* Twelve coefficients, big-endian, each below p, in the order of blst_bendian_from_fp12. */
bool pairing_gt_parse(gt *out, const unsigned char bytes[GT_BYTES]);
void pairing_gt_format(unsigned char bytes[GT_BYTES], const gt *a);

void pairing_gt_power(gt *out, const gt *a, const scalar_q *s);
/* As for G1: shared squarings, and no squarings at all. */
enum {
    PAIRING_GT_WINDOW = 5,
    PAIRING_GT_WINDOWS = 13,
    PAIRING_GT_FIXED_WINDOW = 6,
    PAIRING_GT_FIXED_WINDOWS = 11
};
typedef struct pairing_gt_table {
    gt powers[4][1 << (PAIRING_GT_WINDOW - 1)];
} pairing_gt_table;
void pairing_gt_table_make(pairing_gt_table *out, const gt *a);
void pairing_gt_power_tables(gt *out, const pairing_gt_table *const *tables, const scalar_q *s,
                             size_t n);
typedef struct pairing_gt_fixed {
    gt powers[PAIRING_GT_FIXED_WINDOWS][1 << (PAIRING_GT_FIXED_WINDOW - 1)];
} pairing_gt_fixed;
void pairing_gt_fixed_make(pairing_gt_fixed *out, const gt *a);
/* The product of the s[i]-th powers, for n <= PAIRING_POWERS. */
void pairing_gt_power_fixed(gt *out, const pairing_gt_fixed *const *tables, const scalar_q *s,
                            size_t n);

/* --- the pairing --- */

/* Everything in the pairing that depends on the element of G2 alone. */
enum { PAIRING_LINES = 68 };
typedef struct pairing_lines {
    uint64_t words[PAIRING_LINES][36];
} pairing_lines;
/* The element is not zero. */
void pairing_lines_make(pairing_lines *out, const g2 *b);
/* The product of e(a[i], b[i]) over n <= PAIRING_POWERS pairs, with one final exponentiation. Takes
 * constant time in b; whether an a[i] is zero, and so its factor one, may show. */
void pairing_product(gt *out, const g1 *a, const pairing_lines *const *b, size_t n);
/* e(a, b); zero in a or b may show. */
void pairing_e(gt *out, const g1 *a, const g2 *b);

#endif
