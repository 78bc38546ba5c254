/* BLAKE2b over length-prefixed parts under a domain: no two different lists of parts give the same
 * input, and no two uses of the hash can be confused. */
#ifndef CRYPTO_DIGEST_H
#define CRYPTO_DIGEST_H

#include <stddef.h>

#include <sodium.h>

enum { DIGEST_BYTES = 32, DIGEST_MAX_BYTES = 64 };

typedef struct digest {
    crypto_generichash_state state;
    size_t bytes;
} digest;

/* `bytes` of output, 16 … DIGEST_MAX_BYTES; it enters the hash. */
void digest_init(digest *d, const char *domain, size_t bytes);
void digest_part(digest *d, const void *bytes, size_t length);
/* Writes the output and wipes the state. */
void digest_final(digest *d, unsigned char *out);

#endif
