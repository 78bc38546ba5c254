/* The prime-order group ristretto255 (libsodium), written additively.
 *
 * Points that come from a peer are valid only if ristretto_parse accepted them: canonical
 * encodings of points other than the identity. All operations take constant time in scalars and
 * points. */
#ifndef CRYPTO_RISTRETTO_H
#define CRYPTO_RISTRETTO_H

#include <stdbool.h>
#include <stddef.h>

enum { RISTRETTO_BYTES = 32 };

typedef struct point {
    unsigned char bytes[RISTRETTO_BYTES];
} point;

typedef struct scalar {
    unsigned char bytes[RISTRETTO_BYTES];
} scalar;

/* False if the encoding is invalid or that of the identity. */
bool ristretto_parse(point *out, const unsigned char bytes[RISTRETTO_BYTES]);
/* A point whose discrete logarithm nobody knows; `domain` separates uses. */
void ristretto_hash(point *out, const char *domain, const void *bytes, size_t length);

/* Uniform, not zero; from the operating system's generator. */
void ristretto_random_scalar(scalar *out);
/* The scalar of some secret bytes, the same for the same ones. */
void ristretto_hash_scalar(scalar *out, const char *domain, const void *bytes, size_t length);
void ristretto_invert(scalar *out, const scalar *s);

/* s P; false if P is not valid or the result is the identity. */
bool ristretto_multiply(point *out, const scalar *s, const point *p)
    __attribute__((warn_unused_result));
/* The same for bytes that came from a peer, which it validates as ristretto_parse does. Decoding
 * them once instead of twice saves a tenth of the work. */
bool ristretto_parse_multiply(point *out, const scalar *s,
                              const unsigned char bytes[RISTRETTO_BYTES])
    __attribute__((warn_unused_result));
/* s G. */
bool ristretto_multiply_base(point *out, const scalar *s) __attribute__((warn_unused_result));
/* P + Q and P - Q; false if one is not valid. The result may be the identity. */
bool ristretto_add(point *out, const point *p, const point *q) __attribute__((warn_unused_result));
bool ristretto_subtract(point *out, const point *p, const point *q)
    __attribute__((warn_unused_result));

/* out = choice ? yes : no, for choice 0 or 1, without a branch. */
void ristretto_select(point *out, const point *no, const point *yes, unsigned choice);

#endif
