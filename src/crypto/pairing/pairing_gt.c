/* Elements of GT and their powers.
 *
 * The Frobenius map raises an element of GT to the power p, and p = x = -z modulo q: the map and
 * the conjugation together give a^(z^k) for almost nothing. An exponent d0 + d1 z + d2 z^2 + d3 z^3
 * is therefore four exponents of 64 bits that share 64 squarings, which are cyclotomic ones. */
#include "crypto/pairing/pairing.h"

#include <string.h>

#include "core/check.h"
#include "crypto/pairing/pairing_internal.h"
#include "crypto/secret_memory.h"

enum {
    ENTRIES = 1 << (PAIRING_GT_WINDOW - 1),
    FIXED_ENTRIES = 1 << (PAIRING_GT_FIXED_WINDOW - 1),
    COEFFICIENTS = 12,
    COEFFICIENT_BYTES = 48
};
_Static_assert(PAIRING_GT_WINDOWS *PAIRING_GT_WINDOW > 64, "a window for the carry");
_Static_assert(PAIRING_GT_FIXED_WINDOWS *PAIRING_GT_FIXED_WINDOW > 64, "a window for the carry");

void pairing_gt_one(gt *out)
{
    memcpy(out, blst_fp12_one(), sizeof *out);
}

void pairing_gt_multiply(gt *out, const gt *a, const gt *b)
{
    blst_fp12_mul(fp12(out), fp12_of(a), fp12_of(b));
}

void pairing_gt_invert(gt *out, const gt *a)
{
    *out = *a;
    blst_fp12_conjugate(fp12(out));
}

bool pairing_gt_equal(const gt *a, const gt *b)
{
    return blst_fp12_is_equal(fp12_of(a), fp12_of(b));
}

bool pairing_gt_is_one(const gt *a)
{
    return blst_fp12_is_one(fp12_of(a));
}

void pairing_gt_format(unsigned char bytes[GT_BYTES], const gt *a)
{
    blst_bendian_from_fp12(bytes, fp12_of(a));
}

bool pairing_gt_parse(gt *out, const unsigned char bytes[GT_BYTES])
{
    blst_fp12 a;
    for (unsigned i = 0; i < COEFFICIENTS; i++)
        blst_fp_from_bendian(&a.fp6[i / 2 % 2].fp2[i / 4].fp[i % 2],
                             bytes + (size_t)i * COEFFICIENT_BYTES);
    /* blst reduces values that are not below p: only then the bytes differ. */
    unsigned char again[GT_BYTES];
    blst_bendian_from_fp12(again, &a);
    if (memcmp(again, bytes, GT_BYTES) != 0 || !blst_fp12_in_group(&a) || blst_fp12_is_one(&a))
        return false;
    memcpy(out, &a, sizeof *out);
    return true;
}

/* a^(z^k), k < 4. */
static void power_of_z(gt *out, const gt *a, unsigned k)
{
    if (k == 0)
        *out = *a;
    else
        blst_fp12_frobenius_map(fp12(out), fp12_of(a), k);
    if (k % 2 == 1)
        blst_fp12_conjugate(fp12(out));
}

static void times_cube_root(blst_fp2 *a)
{
    blst_fp_mul(&a->fp[0], &a->fp[0], &pairing_cube_root);
    blst_fp_mul(&a->fp[1], &a->fp[1], &pairing_cube_root);
}

/* a^(z^2), in half the time that blst's map takes: the coefficient of w^i, w^6 = u + 1, is
 * multiplied by c^i, where c is a sixth root of 1. So c^2 is a cube root b, c = 1 + b, c^3 = -1. */
static void power_of_zz(gt *out, const gt *a)
{
    blst_fp12 f;
    memcpy(&f, a, sizeof f);
    blst_fp2 *even = f.fp6[0].fp2, *odd = f.fp6[1].fp2, old;
    old = odd[0];
    times_cube_root(&odd[0]);
    blst_fp2_add(&odd[0], &old, &odd[0]);  /* c */
    times_cube_root(&even[1]);             /* c^2 */
    blst_fp2_cneg(&odd[1], &odd[1], true); /* c^3 */
    old = even[2];
    times_cube_root(&even[2]);
    blst_fp2_add(&even[2], &old, &even[2]);
    blst_fp2_cneg(&even[2], &even[2], true); /* c^4 */
    times_cube_root(&odd[2]);
    blst_fp2_cneg(&odd[2], &odd[2], true); /* c^5 */
    memcpy(out, &f, sizeof f);
}

/* a, a^2 … a^n. */
static void powers(gt *out, const gt *a, unsigned n)
{
    out[0] = *a;
    for (unsigned i = 2; i <= n; i++)
        if (i % 2 == 0)
            blst_fp12_cyclotomic_sqr(fp12(&out[i - 1]), fp12(&out[i / 2 - 1]));
        else
            pairing_gt_multiply(&out[i - 1], &out[i - 2], a);
}

void pairing_gt_table_make(pairing_gt_table *out, const gt *a)
{
    powers(out->powers[0], a, ENTRIES);
    for (unsigned i = 0; i < ENTRIES; i++) {
        power_of_z(&out->powers[1][i], &out->powers[0][i], 1);
        power_of_zz(&out->powers[2][i], &out->powers[0][i]);
        power_of_zz(&out->powers[3][i], &out->powers[1][i]);
    }
}

void pairing_gt_fixed_make(pairing_gt_fixed *out, const gt *a)
{
    gt base = *a;
    for (unsigned i = 0; i < PAIRING_GT_FIXED_WINDOWS; i++) {
        powers(out->powers[i], &base, FIXED_ENTRIES);
        blst_fp12_cyclotomic_sqr(fp12(&base), fp12(&out->powers[i][FIXED_ENTRIES - 1]));
    }
}

/* Multiplies by the power that the window asks for; `entry` is scratch, for the caller to wipe. */
static void multiply_by_entry(gt *product, const gt *table, unsigned entries, pairing_window w,
                              gt *entry)
{
    pairing_select(entry->words, table->words, sizeof *table / 8, entries, w.magnitude);
    /* Nothing selected: one, whose only coefficient other than zero is the first. */
    const uint64_t none = pairing_mask(((uint64_t)w.magnitude - 1) >> 63);
    const uint64_t *one = (const uint64_t *)blst_fp12_one();
    for (unsigned i = 0; i < COEFFICIENT_BYTES / 8; i++)
        entry->words[i] |= none & one[i];
    blst_fp6 *odd = &fp12(entry)->fp6[1];
    for (unsigned i = 0; i < 6; i++) /* the conjugate */
        blst_fp_cneg(&odd->fp2[i / 2].fp[i % 2], &odd->fp2[i / 2].fp[i % 2], w.negative);
    pairing_gt_multiply(product, product, entry);
}

void pairing_gt_power_tables(gt *out, const pairing_gt_table *const *tables, const scalar_q *s,
                             size_t n)
{
    uint64_t digits[PAIRING_POWERS][4];
    gt product, entry;
    ASSERT(n <= PAIRING_POWERS);
    for (size_t b = 0; b < n; b++)
        pairing_digits(digits[b], &s[b]);
    pairing_gt_one(&product);
    for (unsigned i = PAIRING_GT_WINDOWS; i-- > 0;) {
        for (unsigned k = 0; k < PAIRING_GT_WINDOW && i + 1 < PAIRING_GT_WINDOWS; k++)
            blst_fp12_cyclotomic_sqr(fp12(&product), fp12(&product));
        for (size_t b = 0; b < n; b++)
            for (unsigned k = 0; k < 4; k++)
                multiply_by_entry(&product, tables[b]->powers[k], ENTRIES,
                                  pairing_window_at(&digits[b][k], 1, PAIRING_GT_WINDOW, i),
                                  &entry);
    }
    *out = product;
    secret_memory_wipe(digits, sizeof digits);
    secret_memory_wipe(&entry, sizeof entry);
}

void pairing_gt_power(gt *out, const gt *a, const scalar_q *s)
{
    pairing_gt_table table;
    const pairing_gt_table *const tables[] = {&table};
    pairing_gt_table_make(&table, a);
    pairing_gt_power_tables(out, tables, s, 1);
}

void pairing_gt_power_fixed(gt *out, const pairing_gt_fixed *const *tables, const scalar_q *s,
                            size_t n)
{
    uint64_t digits[PAIRING_POWERS][4];
    gt parts[4], entry; /* parts[k]: what digits k give, still to be raised to z^k */
    ASSERT(n <= PAIRING_POWERS);
    for (size_t b = 0; b < n; b++)
        pairing_digits(digits[b], &s[b]);
    for (unsigned k = 0; k < 4; k++)
        pairing_gt_one(&parts[k]);
    /* The part of a table that belongs to a window stays in the cache for all four digits. */
    for (size_t b = 0; b < n; b++)
        for (unsigned i = 0; i < PAIRING_GT_FIXED_WINDOWS; i++)
            for (unsigned k = 0; k < 4; k++)
                multiply_by_entry(&parts[k], tables[b]->powers[i], FIXED_ENTRIES,
                                  pairing_window_at(&digits[b][k], 1, PAIRING_GT_FIXED_WINDOW, i),
                                  &entry);
    for (unsigned k = 1; k < 4; k++) {
        power_of_z(&parts[k], &parts[k], k);
        pairing_gt_multiply(&parts[0], &parts[0], &parts[k]);
    }
    *out = parts[0];
    secret_memory_wipe(digits, sizeof digits);
    secret_memory_wipe(parts, sizeof parts);
    secret_memory_wipe(&entry, sizeof entry);
}
