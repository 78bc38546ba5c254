/* Shared by the files of pairing.h: our types as blst's, scalars in parts, signed windows. */
#ifndef CRYPTO_PAIRING_PAIRING_INTERNAL_H
#define CRYPTO_PAIRING_PAIRING_INTERNAL_H

#include "crypto/pairing/pairing.h"

#include <blst.h>
#include <blst_aux.h>

_Static_assert(sizeof(scalar_q) == sizeof(blst_scalar), "scalars are blst's");
_Static_assert(sizeof(g1) == sizeof(blst_p1), "elements of G1 are blst's");
_Static_assert(sizeof(pairing_g1_affine) == sizeof(blst_p1_affine), "elements of G1 are blst's");
_Static_assert(sizeof(g2) == sizeof(blst_p2), "elements of G2 are blst's");
_Static_assert(sizeof(gt) == sizeof(blst_fp12), "elements of GT are blst's");
_Static_assert(sizeof(((pairing_lines *)0)->words[0]) == sizeof(blst_fp6), "lines are blst's");

static inline blst_p1 *p1(g1 *a)
{
    return (blst_p1 *)a;
}
static inline const blst_p1 *p1_of(const g1 *a)
{
    return (const blst_p1 *)a;
}
static inline blst_p2 *p2(g2 *a)
{
    return (blst_p2 *)a;
}
static inline const blst_p2 *p2_of(const g2 *a)
{
    return (const blst_p2 *)a;
}
static inline blst_fp12 *fp12(gt *a)
{
    return (blst_fp12 *)a;
}
static inline const blst_fp12 *fp12_of(const gt *a)
{
    return (const blst_fp12 *)a;
}

/* (u + 1)^((p^2 - 1) / 3), a cube root of 1. */
extern const blst_fp pairing_cube_root;

/* s = d[0] + d[1] z + d[2] z^2 + d[3] z^3 with z = |x|, the absolute value of the parameter
 * x = -0xd201000000010000 of the curve; q = x^4 - x^2 + 1, so that all digits are below z. The
 * caller wipes d. */
void pairing_digits(uint64_t d[4], const scalar_q *s);

/* A mask of 64 bits, all set if the bit is, of which the compiler knows nothing: clang makes
 * branches of masks that it can see through. */
static inline uint64_t pairing_mask(uint64_t bit)
{
    uint64_t mask = 0 - bit;
    __asm__("" : "+r"(mask));
    return mask;
}

/* The window of width w at bit w i - 1 of a number of `words` words, in Booth's encoding: the
 * number is the sum of the windows' values times 2^(w i). Values lie in -2^(w-1) … 2^(w-1); those
 * of the windows beyond the top bit are zero. */
typedef struct pairing_window {
    unsigned magnitude;
    bool negative;
} pairing_window;
pairing_window pairing_window_at(const uint64_t *number, size_t words, unsigned w, unsigned i);

/* out = table[index - 1], or zeros if index is 0, reading all `count` entries of `words` words;
 * `count` is a multiple of 4. */
void pairing_select(uint64_t *restrict out, const uint64_t *restrict table, size_t words,
                    unsigned count, unsigned index);

#endif
