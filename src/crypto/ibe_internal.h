/* Shared by the files of ibe.h. */
#ifndef CRYPTO_IBE_INTERNAL_H
#define CRYPTO_IBE_INTERNAL_H

#include "crypto/ibe.h"

/* U(v). */
void ibe_identity_u(g1 *out, const ibe_parameters *p, const ibe_identity *v);

#endif
