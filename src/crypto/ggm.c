#include "crypto/ggm.h"

#include <string.h>

#include <sodium.h>

#include "core/check.h"
#include "crypto/secret_memory.h"

/* All nodes of a level become their children. */
static void grow_level(ggm_seed *nodes, uint32_t count)
{
    static const unsigned char purpose[crypto_generichash_blake2b_PERSONALBYTES] = "kith tree";
    for (uint32_t n = count; n-- > 0;) {
        ggm_seed seed = nodes[n];
        crypto_generichash_blake2b_salt_personal((unsigned char *)(nodes + 2 * n), 2 * sizeof seed,
                                                 (const unsigned char *)&seed, sizeof seed, NULL, 0,
                                                 NULL, purpose);
        secret_memory_wipe(&seed, sizeof seed);
    }
}

static void add_seed(ggm_seed *to, const ggm_seed *seed, uint64_t mask)
{
    to->halves[0] ^= seed->halves[0] & mask;
    to->halves[1] ^= seed->halves[1] & mask;
}

/* All ones if a is b, else 0. */
static uint64_t mask_equal(uint32_t a, uint32_t b)
{
    return 0 - (((uint64_t)(a ^ b) - 1) >> 63);
}

void ggm_grow(ggm_seed *leaves, ggm_seed *sums, const ggm_seed *root, unsigned depth)
{
    ASSERT(depth > 0 && depth <= GGM_MAX_DEPTH);
    leaves[0] = *root;
    memset(sums, 0, 2 * depth * sizeof *sums);
    for (unsigned level = 0; level < depth; level++) {
        const uint32_t count = UINT32_C(1) << level;
        grow_level(leaves, count);
        for (uint32_t n = 0; n < 2 * count; n++)
            add_seed(&sums[2 * level + n % 2], &leaves[n], ~UINT64_C(0));
    }
}

void ggm_repair(ggm_seed *leaves, const ggm_seed *known, uint32_t hidden, unsigned depth)
{
    ASSERT(depth > 0 && depth <= GGM_MAX_DEPTH && hidden < UINT32_C(1) << depth);
    leaves[0] = (ggm_seed){{0}};
    for (unsigned level = 0; level < depth; level++) {
        const uint32_t count = UINT32_C(1) << level, child = hidden >> (depth - 1 - level);
        ggm_seed missing = known[level];
        grow_level(leaves, count);
        /* Of the children on the known side all but the sibling of the path are right. */
        for (uint32_t n = 0; n < 2 * count; n++)
            add_seed(&missing, &leaves[n],
                     ~mask_equal(n % 2, child % 2) & ~mask_equal(n, child ^ 1));
        for (uint32_t n = 0; n < 2 * count; n++) {
            const uint64_t here = mask_equal(n, child ^ 1);
            add_seed(&leaves[n], &leaves[n], here);
            add_seed(&leaves[n], &missing, here);
        }
        secret_memory_wipe(&missing, sizeof missing);
    }
}
