#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include <sodium.h>

#include "core/rng.h"

/* The sequence is a promise: results under a seed must not change between versions. The generator
 * itself is checked against its definition, step by step, from a plain state. */
static void sequence_is_stable(void **state)
{
    (void)state;
    rng plain = {.state = {1, 2, 3, 4}};
    /* rotl(1 + 4, 23) + 1, then by the definition of xoshiro256++ */
    static const uint64_t expected[] = {41943041, 58720359, 3588806011781223};
    for (size_t i = 0; i < 3; i++)
        assert_true(rng_next(&plain) == expected[i]);
    rng r;
    rng_init(&r, 1, 0);
    static const uint64_t seeded[] = {0x704560ced7cc0501, 0x4eef90036c89c53a, 0xdce05af2ba1364d7,
                                      0xe019c82160dbbf4c};
    for (size_t i = 0; i < 4; i++) {
        uint64_t x = rng_next(&r);
        if (x != seeded[i])
            print_error("%zu: 0x%llx\n", i, (unsigned long long)x);
        assert_true(x == seeded[i]);
    }
}

static void streams_differ(void **state)
{
    (void)state;
    uint64_t first[400];
    for (uint64_t i = 0; i < 400; i++) {
        rng r;
        rng_init(&r, i / 20, i % 20);
        first[i] = rng_next(&r);
        for (uint64_t j = 0; j < i; j++)
            assert_true(first[i] != first[j]);
    }
}

static void below_stays_below_and_is_uniform(void **state)
{
    (void)state;
    rng r;
    rng_init(&r, 2, 0);
    static const uint32_t bounds[] = {1, 2, 3, 7, 10, 1000, 0x80000001, UINT32_MAX};
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++)
        for (int i = 0; i < 1000; i++)
            assert_true(rng_below(&r, bounds[b]) < bounds[b]);
    uint32_t seen[7] = {0};
    for (int i = 0; i < 70000; i++)
        seen[rng_below(&r, 7)]++;
    for (int i = 0; i < 7; i++)
        assert_true(fabs(seen[i] - 10000.0) < 6 * sqrt(10000.0 * 6 / 7));
    /* 3 x 2^30: without rejection the lower third would come twice as often */
    uint32_t third = 0;
    for (int i = 0; i < 30000; i++)
        third += rng_below(&r, 3U << 30) < 1U << 30;
    assert_true(fabs(third - 10000.0) < 6 * sqrt(10000.0 * 2 / 3));
}

static void unit_interval(void **state)
{
    (void)state;
    rng r;
    rng_init(&r, 3, 0);
    double sum = 0;
    for (int i = 0; i < 100000; i++) {
        double u = rng_unit(&r);
        assert_true(u >= 0 && u < 1);
        sum += u;
    }
    assert_true(fabs(sum / 100000 - 0.5) < 6 * sqrt(1.0 / 12 / 100000));
}

/* All 24 orders of four items come equally often: chi-square with 23 degrees of freedom stays
 * below 90 except in one case in 10^9. */
static void shuffles_are_uniform(void **state)
{
    (void)state;
    rng r;
    rng_init(&r, 4, 0);
    uint32_t seen[256] = {0};
    enum { ROUNDS = 48000 };
    for (int i = 0; i < ROUNDS; i++) {
        uint32_t items[4] = {0, 1, 2, 3};
        rng_shuffle(&r, items, 4);
        assert_int_equal(1 << items[0] | 1 << items[1] | 1 << items[2] | 1 << items[3], 15);
        seen[items[0] << 6 | items[1] << 4 | items[2] << 2 | items[3]]++;
    }
    double chi = 0, expected = ROUNDS / 24.0;
    int orders = 0;
    for (int i = 0; i < 256; i++)
        if (seen[i] > 0) {
            orders++;
            chi += (seen[i] - expected) * (seen[i] - expected) / expected;
        }
    assert_int_equal(orders, 24);
    assert_true(chi < 90);
    rng_shuffle(&r, NULL, 0);
    uint32_t one = 7;
    rng_shuffle(&r, &one, 1);
    assert_int_equal(one, 7);
}

/* A keyed generator is ChaCha20 and nothing else, however much is drawn. */
static void keyed_generators_are_chacha20(void **state)
{
    (void)state;
    enum { NUMBERS = 1000 };
    unsigned char key[RNG_KEY_BYTES], nonce[8] = {5};
    uint64_t expected[NUMBERS];
    rng r, other;
    memset(key, 0x17, sizeof key);
    crypto_stream_chacha20((unsigned char *)expected, sizeof expected, nonce, key);
    rng_init_key(&r, key, 5);
    for (int i = 0; i < NUMBERS; i++)
        assert_true(rng_next(&r) == expected[i]);
    rng_init_key(&r, key, 5);
    rng_init_key(&other, key, 6);
    assert_true(rng_next(&r) != rng_next(&other));
    key[31] ^= 1;
    rng_init_key(&other, key, 5);
    rng_next(&other);
    assert_true(rng_next(&r) != rng_next(&other));
    rng_wipe(&other);
    for (size_t i = 0; i < sizeof other; i++)
        assert_int_equal(((const unsigned char *)&other)[i], 0);
}

static void fresh_seeds_differ(void **state)
{
    (void)state;
    assert_true(rng_fresh_seed() != rng_fresh_seed());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sequence_is_stable),
        cmocka_unit_test(streams_differ),
        cmocka_unit_test(below_stays_below_and_is_uniform),
        cmocka_unit_test(unit_interval),
        cmocka_unit_test(shuffles_are_uniform),
        cmocka_unit_test(keyed_generators_are_chacha20),
        cmocka_unit_test(fresh_seeds_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
