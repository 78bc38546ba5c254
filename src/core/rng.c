#include "core/rng.h"

#include <sodium.h>
#include <string.h>

#include "core/check.h"

_Static_assert(sizeof((rng *)0)->state == RNG_KEY_BYTES, "the state has room for a key");
_Static_assert(crypto_stream_chacha20_KEYBYTES == RNG_KEY_BYTES, "ChaCha20 takes such keys");
_Static_assert(crypto_stream_chacha20_NONCEBYTES == sizeof(uint64_t), "the stream is the nonce");

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
    r->keyed = false;
    for (int i = 0; i < 4; i++)
        r->state[i] = splitmix(&x);
}

void rng_init_key(rng *r, const unsigned char key[RNG_KEY_BYTES], uint64_t stream)
{
    memcpy(r->state, key, sizeof r->state);
    r->keyed = true;
    r->used = RNG_BUFFER;
    r->stream = stream;
    r->n_blocks = 0;
}

void rng_wipe(rng *r)
{
    sodium_memzero(r, sizeof *r);
}

static uint64_t next_keyed(rng *r)
{
    enum { BLOCK = 64 }; /* bytes of a ChaCha20 block */
    if (r->used == RNG_BUFFER) {
        unsigned char *bytes = (unsigned char *)r->buffer;
        memset(bytes, 0, sizeof r->buffer);
        crypto_stream_chacha20_xor_ic(bytes, bytes, sizeof r->buffer,
                                      (const unsigned char *)&r->stream, r->n_blocks,
                                      (const unsigned char *)r->state);
        r->n_blocks += sizeof r->buffer / BLOCK;
        r->used = 0;
    }
    return r->buffer[r->used++];
}

/* Blackman and Vigna's xoshiro256++. */
static uint64_t rotate(uint64_t x, int bits)
{
    return (x << bits) | (x >> (64 - bits));
}

uint64_t rng_next(rng *r)
{
    uint64_t *s = r->state;
    if (r->keyed)
        return next_keyed(r);
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
