#include "crypto/digest.h"

#include <string.h>

#include "core/bytes.h"
#include "core/check.h"
#include "crypto/secret_memory.h"

void digest_init(digest *d, const char *domain, size_t bytes)
{
    ASSERT(bytes >= 16 && bytes <= DIGEST_MAX_BYTES);
    d->bytes = bytes;
    crypto_generichash_init(&d->state, NULL, 0, bytes);
    digest_part(d, domain, strlen(domain));
}

void digest_part(digest *d, const void *bytes, size_t length)
{
    unsigned char prefix[8];
    bytes_put(prefix, length, sizeof prefix);
    crypto_generichash_update(&d->state, prefix, sizeof prefix);
    crypto_generichash_update(&d->state, bytes, length);
}

void digest_final(digest *d, unsigned char *out)
{
    crypto_generichash_final(&d->state, out, d->bytes);
    secret_memory_wipe(d, sizeof *d);
}
