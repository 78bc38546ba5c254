#include "protocol/private_choices.h"

#include <sodium.h>
#include <string.h>

void private_choices_key(unsigned char out[PRIVATE_CHOICES_BYTES], const unsigned char *choices,
                         const char *purpose)
{
    if (choices == NULL)
        randombytes_buf(out, PRIVATE_CHOICES_BYTES);
    else
        crypto_generichash(out, PRIVATE_CHOICES_BYTES, (const unsigned char *)purpose,
                           strlen(purpose), choices, PRIVATE_CHOICES_BYTES);
}

void private_choices_rng(rng *r, const unsigned char *choices, const char *purpose)
{
    unsigned char key[PRIVATE_CHOICES_BYTES];
    private_choices_key(key, choices, purpose);
    rng_init_key(r, key, 0);
    sodium_memzero(key, sizeof key);
}
