/* Trees of seeds: all leaves but the hidden one, from one sum of each level. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include <sodium.h>

#include "crypto/ggm.h"

enum { MOST = 1 << GGM_MAX_DEPTH };

static int ready(void **state)
{
    (void)state;
    return sodium_init() < 0 ? -1 : 0;
}

/* What the holder of the sums gives away for a hidden leaf. */
static void give(ggm_seed *known, const ggm_seed *sums, uint32_t hidden, unsigned depth)
{
    for (unsigned level = 0; level < depth; level++)
        known[level] = sums[2 * level + (1 - (hidden >> (depth - 1 - level) & 1))];
}

static void all_leaves_but_the_hidden_one(void **state)
{
    (void)state;
    for (unsigned depth = 1; depth <= GGM_MAX_DEPTH; depth++) {
        ggm_seed root, leaves[MOST], repaired[MOST], sums[2 * GGM_MAX_DEPTH], known[GGM_MAX_DEPTH];
        randombytes_buf(&root, sizeof root);
        ggm_grow(leaves, sums, &root, depth);
        for (uint32_t hidden = 0; hidden < UINT32_C(1) << depth; hidden++) {
            give(known, sums, hidden, depth);
            ggm_repair(repaired, known, hidden, depth);
            for (uint32_t x = 0; x < UINT32_C(1) << depth; x++)
                assert_int_equal(memcmp(&repaired[x], &leaves[x], sizeof *leaves) == 0,
                                 x != hidden);
        }
    }
}

/* No two seeds of a tree are equal, and a tree is that of its root. */
static void seeds_differ(void **state)
{
    (void)state;
    ggm_seed root, leaves[MOST], again[MOST], sums[2 * GGM_MAX_DEPTH];
    randombytes_buf(&root, sizeof root);
    ggm_grow(leaves, sums, &root, GGM_MAX_DEPTH);
    ggm_grow(again, sums, &root, GGM_MAX_DEPTH);
    assert_memory_equal(leaves, again, sizeof leaves);
    for (uint32_t x = 0; x < MOST; x++)
        for (uint32_t y = 0; y < x; y++)
            assert_memory_not_equal(&leaves[x], &leaves[y], sizeof *leaves);
    root.halves[1] ^= 1;
    ggm_grow(again, sums, &root, GGM_MAX_DEPTH);
    for (uint32_t x = 0; x < MOST; x++)
        assert_memory_not_equal(&leaves[x], &again[x], sizeof *leaves);
}

/* The order of bits and bytes is the same on all machines: both sides of a run must agree. */
static void hashes_as_it_says(void **state)
{
    (void)state;
    const ggm_seed root = {{7, 9}};
    ggm_seed leaves[2], sums[2];
    unsigned char both[32];
    static const unsigned char purpose[16] = "kith tree";
    crypto_generichash_blake2b_salt_personal(both, sizeof both, (const unsigned char *)&root,
                                             sizeof root, NULL, 0, NULL, purpose);
    ggm_grow(leaves, sums, &root, 1);
    assert_memory_equal(leaves, both, sizeof both);
    assert_memory_equal(sums, both, sizeof both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_leaves_but_the_hidden_one),
        cmocka_unit_test(seeds_differ),
        cmocka_unit_test(hashes_as_it_says),
    };
    return cmocka_run_group_tests(tests, ready, NULL);
}
