/* Where a party's private choices come from: shuffles of its records, blur and noise.
 *
 * They must not be guessed by others, so they come from a key of this party. They must not be drawn
 * anew in a run that is identical to an earlier one either: who sees several releases, or several
 * noisy answers to one question, could average the choices out. So the key is the same in every run
 * of one study with the same parties on the same data, and another one as soon as any of these
 * differs (job/history/run_identity.h).
 *
 * Only choices may depend on it; of smc/sets/homes.h also scalars, which change as soon as anything at
 * any party does. Masks, keys, scalars and the shuffles of mixes come from libsodium
 * in every run: two messages under one mask would give the difference of what they hide. */
#ifndef PROTOCOL_PRIVATE_CHOICES_H
#define PROTOCOL_PRIVATE_CHOICES_H

#include "core/rng.h"

enum { PRIVATE_CHOICES_BYTES = RNG_KEY_BYTES };

/* Derives the key of one purpose from that of the run, so that no two purposes share a stream. If
 * the run has no key (NULL: tests, and simulations in one process) it is drawn. The caller wipes
 * it. */
void private_choices_key(unsigned char out[PRIVATE_CHOICES_BYTES], const unsigned char *choices,
                         const char *purpose);

/* A generator with the key of this purpose. The caller wipes it (rng_wipe). */
void private_choices_rng(rng *r, const unsigned char *choices, const char *purpose);

#endif
