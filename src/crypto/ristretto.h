/* The prime-order group ristretto255 (libsodium), written additively.
 *
 * Points that come from a peer are valid only if group_parse took them: canonical encodings other
 * than the identity. All operations take constant time in scalars and points. */
#ifndef CRYPTO_RISTRETTO_H
#define CRYPTO_RISTRETTO_H

#include <stdbool.h>
#include <stddef.h>

enum { GROUP_BYTES = 32 };

typedef struct point {
    unsigned char bytes[GROUP_BYTES];
} point;

typedef struct scalar {
    unsigned char bytes[GROUP_BYTES];
} scalar;

/* False: no valid encoding, or the identity. */
bool group_parse(point *out, const unsigned char bytes[GROUP_BYTES]);
/* The point whose discrete logarithm nobody knows; `domain` separates uses. */
void group_hash(point *out, const char *domain, const void *bytes, size_t length);

/* Uniform, not zero; from the operating system's generator. */
void group_random_scalar(scalar *out);
void group_invert(scalar *out, const scalar *s);

/* s P; false if P is not valid or the result is the identity. */
bool group_multiply(point *out, const scalar *s, const point *p)
    __attribute__((warn_unused_result));
/* The same for bytes that came from a peer: false also where group_parse would say so. One decoding
 * instead of two, which is a tenth of the work. */
bool group_parse_multiply(point *out, const scalar *s, const unsigned char bytes[GROUP_BYTES])
    __attribute__((warn_unused_result));
/* s G. */
bool group_multiply_base(point *out, const scalar *s) __attribute__((warn_unused_result));
/* P + Q and P - Q; false if one is not valid. The result may be the identity. */
bool group_add(point *out, const point *p, const point *q) __attribute__((warn_unused_result));
bool group_subtract(point *out, const point *p, const point *q) __attribute__((warn_unused_result));

/* out = choice ? yes : no, for choice 0 or 1, without a branch. */
void group_select(point *out, const point *no, const point *yes, unsigned choice);

#endif
