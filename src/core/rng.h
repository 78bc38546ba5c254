/* Random choices of the algorithms: xoshiro256++, reproducible from a seed. Never for secrets:
 * masks, keys and shuffles of releases come from libsodium directly. */
#ifndef CORE_RNG_H
#define CORE_RNG_H

#include <stddef.h>
#include <stdint.h>

typedef struct rng {
    uint64_t state[4];
} rng;

/* An independent generator for every (seed, stream): give each chunk of parallel work a stream of
 * its own and the result does not depend on the number of threads. */
void rng_init(rng *r, uint64_t seed, uint64_t stream);
uint64_t rng_next(rng *r);
/* Uniform in 0 … bound-1, without bias; bound > 0. */
uint32_t rng_below(rng *r, uint32_t bound);
/* Uniform in [0, 1). */
double rng_unit(rng *r);
void rng_shuffle(rng *r, uint32_t *items, size_t count);

/* A seed from the operating system. */
uint64_t rng_fresh_seed(void);

#endif
