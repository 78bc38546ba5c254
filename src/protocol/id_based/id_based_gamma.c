#include "protocol/id_based/id_based_gamma.h"

#include <string.h>

#include "crypto/secret_memory.h"

void id_based_gamma(ibe_ciphertext *out, const ibe_recipient *alice, const ibe_powers *x_powers,
                    const ibe_powers *z_powers, const scalar_q *x, bool enough)
{
    scalar_q exponents[2], plain; /* phi of Z, theta of X; -theta x */
    const ibe_powers *const bases[2] = {z_powers, x_powers};
    pairing_scalar_random(&exponents[0]);
    pairing_scalar_random(&exponents[1]);
    if (enough)
        memset(&exponents[0], 0, sizeof exponents[0]);
    pairing_scalar_multiply(&plain, &exponents[1], x);
    pairing_scalar_negate(&plain, &plain);
    ibe_combine(out, alice, bases, exponents, 2, &plain);
    secret_memory_wipe(exponents, sizeof exponents);
    secret_memory_wipe(&plain, sizeof plain);
}
