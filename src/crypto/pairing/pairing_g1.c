/* Multiplication in G1 by signed windows, with the endomorphism psi(x, y) = (b x, -y), b^3 = 1,
 * that multiplies by z^2 (Gallant, Lambert, Vanstone): a scalar low + high z^2 takes half as many
 * doublings. */
#include "crypto/pairing/pairing.h"

#include <string.h>

#include "core/check.h"
#include "crypto/pairing/pairing_internal.h"
#include "crypto/secret_memory.h"

enum {
    ENTRIES = 1 << (PAIRING_G1_WINDOW - 1),
    WINDOWS = 128 / PAIRING_G1_WINDOW + 1,
    FIXED_ENTRIES = 1 << (PAIRING_G1_FIXED_WINDOW - 1),
    FIXED_COUNT = PAIRING_G1_FIXED_WINDOWS * FIXED_ENTRIES
};
_Static_assert(PAIRING_G1_FIXED_WINDOWS *PAIRING_G1_FIXED_WINDOW > 128, "a window for the carry");

/* s = halves[0] + halves[1] z^2, each of two words. */
static void halve(uint64_t halves[2][2], const scalar_q *s)
{
    const uint64_t z = UINT64_C(0xd201000000010000);
    uint64_t d[4];
    pairing_digits(d, s);
    for (unsigned i = 0; i < 2; i++) {
        const unsigned __int128 half = (unsigned __int128)d[2 * i + 1] * z + d[2 * i];
        halves[i][0] = (uint64_t)half;
        halves[i][1] = (uint64_t)(half >> 64);
    }
    secret_memory_wipe(d, sizeof d);
}

/* Affine forms by one inversion, of points that are all zero (infinity) or all not: zeros stay
 * zeros, since blst's inverse of 0 is 0. `prefix` has room for n field elements. */
static void normalize(blst_p1_affine *out, const blst_p1 *points, blst_fp *prefix, size_t n)
{
    blst_fp inverse, z, zz;
    prefix[0] = points[0].z;
    for (size_t i = 1; i < n; i++)
        blst_fp_mul(&prefix[i], &prefix[i - 1], &points[i].z);
    blst_fp_inverse(&inverse, &prefix[n - 1]);
    for (size_t i = n; i-- > 0;) {
        if (i == 0)
            z = inverse;
        else
            blst_fp_mul(&z, &inverse, &prefix[i - 1]);
        blst_fp_mul(&inverse, &inverse, &points[i].z);
        blst_fp_sqr(&zz, &z);
        blst_fp_mul(&out[i].x, &points[i].x, &zz);
        blst_fp_mul(&zz, &zz, &z);
        blst_fp_mul(&out[i].y, &points[i].y, &zz);
    }
}

/* a, 2 a … n a. */
static void multiples(blst_p1 *out, const blst_p1 *a, size_t n)
{
    out[0] = *a;
    for (size_t i = 2; i <= n; i++)
        if (i % 2 == 0)
            blst_p1_double(&out[i - 1], &out[i / 2 - 1]);
        else
            blst_p1_add_or_double(&out[i - 1], &out[i - 2], a);
}

void pairing_g1_table_make(pairing_g1_table *out, const g1 *a)
{
    blst_p1 points[ENTRIES];
    blst_fp prefix[ENTRIES];
    multiples(points, p1_of(a), ENTRIES);
    blst_p1_affine *low = (blst_p1_affine *)out->multiples[0],
                   *high = (blst_p1_affine *)out->multiples[1];
    normalize(low, points, prefix, ENTRIES);
    for (size_t i = 0; i < ENTRIES; i++) {
        blst_fp_mul(&high[i].x, &low[i].x, &pairing_cube_root);
        blst_fp_cneg(&high[i].y, &low[i].y, true);
    }
}

/* The multiple that the window asks for. */
static void pick(blst_p1_affine *out, const pairing_g1_affine *table, unsigned entries,
                 pairing_window w)
{
    pairing_select((uint64_t *)out, table->words, sizeof *table / 8, entries, w.magnitude);
    blst_fp_cneg(&out->y, &out->y, w.negative);
}

void pairing_g1_multiply_tables(g1 *out, const pairing_g1_table *const *tables, const scalar_q *s,
                                size_t n)
{
    uint64_t halves[PAIRING_POWERS][2][2];
    blst_p1 sum;
    blst_p1_affine entry;
    ASSERT(n <= PAIRING_POWERS);
    for (size_t b = 0; b < n; b++)
        halve(halves[b], &s[b]);
    memset(&sum, 0, sizeof sum);
    for (unsigned i = WINDOWS; i-- > 0;) {
        for (unsigned k = 0; k < PAIRING_G1_WINDOW && i + 1 < WINDOWS; k++)
            blst_p1_double(&sum, &sum);
        for (size_t b = 0; b < n; b++)
            for (unsigned k = 0; k < 2; k++) {
                pick(&entry, tables[b]->multiples[k], ENTRIES,
                     pairing_window_at(halves[b][k], 2, PAIRING_G1_WINDOW, i));
                /* A peer chose the elements: sums may well be equal to entries. */
                blst_p1_add_or_double_affine(&sum, &sum, &entry);
            }
    }
    memcpy(out, &sum, sizeof *out);
    secret_memory_wipe(halves, sizeof halves);
    secret_memory_wipe(&entry, sizeof entry);
}

void pairing_g1_multiply(g1 *out, const g1 *a, const scalar_q *s)
{
    pairing_g1_table table;
    const pairing_g1_table *const tables[] = {&table};
    pairing_g1_table_make(&table, a);
    pairing_g1_multiply_tables(out, tables, s, 1);
}

void pairing_g1_fixed_make(pairing_g1_fixed *out, const g1 *a)
{
    blst_p1 points[FIXED_ENTRIES], base = *p1_of(a);
    blst_fp prefix[FIXED_ENTRIES];
    for (unsigned i = 0; i < PAIRING_G1_FIXED_WINDOWS; i++) {
        multiples(points, &base, FIXED_ENTRIES);
        normalize((blst_p1_affine *)out->multiples[i], points, prefix, FIXED_ENTRIES);
        blst_p1_double(&base, &points[FIXED_ENTRIES - 1]);
    }
}

void pairing_g1_multiply_fixed(g1 *out, const pairing_g1_fixed *table, const scalar_q *s)
{
    uint64_t halves[2][2];
    blst_p1 sums[2];
    blst_p1_affine entry;
    halve(halves, s);
    memset(sums, 0, sizeof sums);
    /* From the lowest window up: |sum| is below 2^(w i), and the entry at least that or zero, so
     * that they are never equal and the addition need not be able to double. */
    for (unsigned k = 0; k < 2; k++)
        for (unsigned i = 0; i < PAIRING_G1_FIXED_WINDOWS; i++) {
            pick(&entry, table->multiples[i], FIXED_ENTRIES,
                 pairing_window_at(halves[k], 2, PAIRING_G1_FIXED_WINDOW, i));
            blst_p1_add_affine(&sums[k], &sums[k], &entry);
        }
    blst_fp_mul(&sums[1].x, &sums[1].x, &pairing_cube_root);
    blst_fp_cneg(&sums[1].y, &sums[1].y, true);
    blst_p1_add_or_double(p1(out), &sums[0], &sums[1]);
    secret_memory_wipe(halves, sizeof halves);
    secret_memory_wipe(sums, sizeof sums);
    secret_memory_wipe(&entry, sizeof entry);
}
