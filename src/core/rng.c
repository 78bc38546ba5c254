#include "core/rng.h"

#include <sodium.h>

#include "core/check.h"

/* Steele, Lea and Flood's SplitMix64: the authors of xoshiro recommend it for seeding. */
static uint64_t splitmix(uint64_t *x)
{
    uint64_t z = (*x += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

/* The factor spreads small stream numbers over all bits, so that neighbouring streams begin far
 * apart. */
void rng_init(rng *r, uint64_t seed, uint64_t stream)
{
    uint64_t x = seed;
    x = splitmix(&x) ^ (stream * 0xd1342543de82ef95U);
    for (int i = 0; i < 4; i++)
        r->state[i] = splitmix(&x);
}

/* Blackman and Vigna's xoshiro256++. */
static uint64_t rotate(uint64_t x, int bits)
{
    return (x << bits) | (x >> (64 - bits));
}

uint64_t rng_next(rng *r)
{
    uint64_t *s = r->state;
    ASSERT((s[0] | s[1] | s[2] | s[3]) != 0); /* zero is a fixed point: the state was never set */
    uint64_t result = rotate(s[0] + s[3], 23) + s[0];
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

/* Lemire's multiply-and-reject: the high half of a product is the answer; the few low halves that
 * would favour some answers are drawn again. The division is rarely needed. */
uint32_t rng_below(rng *r, uint32_t bound)
{
    ASSERT(bound > 0);
    uint64_t product = (rng_next(r) >> 32) * bound;
    uint32_t low = (uint32_t)product;
    if (low < bound) {
        uint32_t floor = -bound % bound;
        while (low < floor) {
            product = (rng_next(r) >> 32) * bound;
            low = (uint32_t)product;
        }
    }
    return (uint32_t)(product >> 32);
}

double rng_unit(rng *r)
{
    return (double)(rng_next(r) >> 11) * 0x1p-53;
}

void rng_shuffle(rng *r, uint32_t *items, size_t count)
{
    ASSERT(count <= UINT32_MAX);
    for (size_t i = count; i > 1; i--) {
        uint32_t j = rng_below(r, (uint32_t)i);
        uint32_t swap = items[i - 1];
        items[i - 1] = items[j];
        items[j] = swap;
    }
}

uint64_t rng_fresh_seed(void)
{
    uint64_t seed = 0;
    if (sodium_init() >= 0)
        randombytes_buf(&seed, sizeof seed);
    return seed;
}
