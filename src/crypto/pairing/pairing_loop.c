/* The pairing: Miller's loop over prepared lines, as blst has it, but for several pairs at once, so
 * that they share its squarings as well as the final exponentiation. */
#include "crypto/pairing/pairing.h"

#include <string.h>

#include "core/check.h"
#include "crypto/pairing/pairing_internal.h"
#include "crypto/secret_memory.h"

void pairing_lines_make(pairing_lines *out, const g2 *b)
{
    blst_p2_affine point;
    blst_p2_to_affine(&point, p2_of(b));
    blst_precompute_lines((blst_fp6 *)out->words, &point);
    secret_memory_wipe(&point, sizeof point); /* part of a key, perhaps */
}

/* What lines are multiplied with: (-2 x, 2 y). */
typedef struct argument {
    blst_fp x, y;
    const blst_fp6 *lines;
} argument;

/* The loop's value, and a line, from which a private key could be computed. */
typedef struct accumulator {
    blst_fp12 f;
    blst_fp6 line;
} accumulator;

/* Multiplies by the lines number `at` of all pairs. */
static void multiply_by_lines(accumulator *a, const argument *pairs, size_t n, unsigned at)
{
    blst_fp6 *line = &a->line;
    for (size_t i = 0; i < n; i++) {
        *line = pairs[i].lines[at];
        for (unsigned k = 0; k < 2; k++) {
            blst_fp_mul(&line->fp2[1].fp[k], &line->fp2[1].fp[k], &pairs[i].x);
            blst_fp_mul(&line->fp2[2].fp[k], &line->fp2[2].fp[k], &pairs[i].y);
        }
        blst_fp12_mul_by_xy00z0(&a->f, &a->f, line);
    }
}

void pairing_product(gt *out, const g1 *a, const pairing_lines *const *b, size_t n)
{
    /* Between its set bits, z has runs of zeros: one addition, then so many doublings. */
    static const unsigned doublings[] = {2, 3, 9, 32, 16};
    argument pairs[PAIRING_POWERS];
    size_t used = 0;
    ASSERT(n <= PAIRING_POWERS);
    for (size_t i = 0; i < n; i++) {
        if (pairing_g1_is_zero(&a[i]))
            continue;
        blst_p1_affine point;
        blst_p1_to_affine(&point, p1_of(&a[i]));
        argument *to = &pairs[used++];
        blst_fp_add(&to->x, &point.x, &point.x);
        blst_fp_cneg(&to->x, &to->x, true);
        blst_fp_add(&to->y, &point.y, &point.y);
        to->lines = (const blst_fp6 *)b[i]->words;
    }
    accumulator value = {.f = *blst_fp12_one()};
    unsigned at = 0;
    multiply_by_lines(&value, pairs, used, at++);
    for (unsigned run = 0; run < sizeof doublings / sizeof *doublings; run++) {
        multiply_by_lines(&value, pairs, used, at++);
        for (unsigned k = 0; k < doublings[run]; k++) {
            blst_fp12_sqr(&value.f, &value.f);
            multiply_by_lines(&value, pairs, used, at++);
        }
    }
    ASSERT(at == PAIRING_LINES);
    blst_fp12_conjugate(&value.f); /* x is negative */
    blst_final_exp(fp12(out), &value.f);
    secret_memory_wipe(&value, sizeof value);
}

void pairing_e(gt *out, const g1 *a, const g2 *b)
{
    blst_p1_affine p;
    blst_p2_affine q;
    blst_fp12 f;
    blst_p1_to_affine(&p, p1_of(a));
    blst_p2_to_affine(&q, p2_of(b));
    blst_miller_loop(&f, &q, &p); /* one if p or q is zero */
    blst_final_exp(fp12(out), &f);
}
