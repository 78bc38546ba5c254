#include "crypto/ristretto.h"

#include <string.h>

#include <sodium.h>

#include "crypto/digest.h"
#include "crypto/secret_memory.h"

bool ristretto_parse(point *out, const unsigned char bytes[RISTRETTO_BYTES])
{
    /* libsodium accepts the identity (all zero), and 1.0.18 ignores the topmost bit, so that two
     * encodings would be the same point. */
    if (sodium_is_zero(bytes, RISTRETTO_BYTES) || bytes[RISTRETTO_BYTES - 1] >> 7 != 0 ||
        crypto_core_ristretto255_is_valid_point(bytes) != 1)
        return false;
    memcpy(out->bytes, bytes, RISTRETTO_BYTES);
    return true;
}

void ristretto_hash(point *out, const char *domain, const void *bytes, size_t length)
{
    unsigned char wide[crypto_core_ristretto255_HASHBYTES];
    digest d;
    digest_init(&d, domain, sizeof wide);
    digest_part(&d, bytes, length);
    digest_final(&d, wide);
    crypto_core_ristretto255_from_hash(out->bytes, wide);
    secret_memory_wipe(wide, sizeof wide);
}

void ristretto_random_scalar(scalar *out)
{
    do
        crypto_core_ristretto255_scalar_random(out->bytes);
    while (sodium_is_zero(out->bytes, RISTRETTO_BYTES));
}

void ristretto_hash_scalar(scalar *out, const char *domain, const void *bytes, size_t length)
{
    unsigned char wide[crypto_core_ristretto255_NONREDUCEDSCALARBYTES];
    digest d;
    digest_init(&d, domain, sizeof wide);
    digest_part(&d, bytes, length);
    digest_final(&d, wide);
    crypto_core_ristretto255_scalar_reduce(out->bytes, wide);
    secret_memory_wipe(wide, sizeof wide);
}

void ristretto_invert(scalar *out, const scalar *s)
{
    /* Fails for zero only, which ristretto_random_scalar never returns; the result is then zero. */
    if (crypto_core_ristretto255_scalar_invert(out->bytes, s->bytes) != 0)
        memset(out->bytes, 0, RISTRETTO_BYTES);
}

bool ristretto_multiply(point *out, const scalar *s, const point *p)
{
    return crypto_scalarmult_ristretto255(out->bytes, s->bytes, p->bytes) == 0;
}

bool ristretto_parse_multiply(point *out, const scalar *s,
                              const unsigned char bytes[RISTRETTO_BYTES])
{
    /* The multiplication refuses encodings that are not canonical, and a result that is the
     * identity, so that the point was not the identity either. */
    return bytes[RISTRETTO_BYTES - 1] >> 7 == 0 &&
           crypto_scalarmult_ristretto255(out->bytes, s->bytes, bytes) == 0;
}

bool ristretto_multiply_base(point *out, const scalar *s)
{
    return crypto_scalarmult_ristretto255_base(out->bytes, s->bytes) == 0;
}

bool ristretto_add(point *out, const point *p, const point *q)
{
    return crypto_core_ristretto255_add(out->bytes, p->bytes, q->bytes) == 0;
}

bool ristretto_subtract(point *out, const point *p, const point *q)
{
    return crypto_core_ristretto255_sub(out->bytes, p->bytes, q->bytes) == 0;
}

void ristretto_select(point *out, const point *no, const point *yes, unsigned choice)
{
    const unsigned char mask = (unsigned char)(0u - choice);
    for (size_t i = 0; i < RISTRETTO_BYTES; i++)
        out->bytes[i] = (unsigned char)(no->bytes[i] ^ (mask & (no->bytes[i] ^ yes->bytes[i])));
}
