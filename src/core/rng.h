/* Random choices of the algorithms, in two forms: xoshiro256++ from a seed, fast and reproducible,
 * where no other party sees what depends on the choices; ChaCha20 (libsodium) from a key, for
 * private choices in joint runs, whose effects other parties see. Never for secrets: masks, keys
 * and shuffles of mixes come from libsodium directly. */
#ifndef CORE_RNG_H
#define CORE_RNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RNG_KEY_BYTES = 32, RNG_BUFFER = 64 };

typedef struct rng {
    uint64_t state[4]; /* of xoshiro; of a keyed generator the key */
    bool keyed;
    uint32_t used;               /* numbers taken from the buffer, which only a keyed one has */
    uint64_t stream, n_blocks;   /* ChaCha20's nonce, and blocks drawn so far */
    uint64_t buffer[RNG_BUFFER]; /* undefined in a generator from a seed */
} rng;

/* An independent generator for every (seed, stream): give each chunk of parallel work a stream of
 * its own and the result does not depend on the number of threads. */
void rng_init(rng *r, uint64_t seed, uint64_t stream);
/* The same from a key: who does not know it cannot tell the choices from random ones. */
void rng_init_key(rng *r, const unsigned char key[RNG_KEY_BYTES], uint64_t stream);
/* Wipes the key of a keyed generator, which must not be used any more. */
void rng_wipe(rng *r);
uint64_t rng_next(rng *r);
/* Uniform in 0 … bound-1, without bias; bound > 0. */
uint32_t rng_below(rng *r, uint32_t bound);
/* Uniform in [0, 1). */
double rng_unit(rng *r);
void rng_shuffle(rng *r, uint32_t *items, size_t count);

/* A seed from the operating system. */
uint64_t rng_fresh_seed(void);

#endif
