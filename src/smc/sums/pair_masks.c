#include "smc/sums/pair_masks.h"

#include "core/error.h"
#include "crypto/secret_memory.h"

enum { STRIP = 2048 }; /* values at a time: 16 KB, within the first cache */

struct pair_masks {
    uint32_t self, n_parties;
    prg *streams[PARTY_MAX]; /* [n_parties], shared with each other party */
    uint64_t strip[STRIP];   /* the masks that are being added */
};

#if KITH_DEBUG
static void pair_masks_check(const pair_masks *k)
{
    ASSERT(k->self < k->n_parties && k->n_parties <= PARTY_MAX);
    for (uint32_t j = 0; j < k->n_parties; j++)
        ASSERT((k->streams[j] == NULL) == (j == k->self));
}
#endif

kith_status pair_masks_new(pair_masks **out, const smc_call *call, const char *purpose,
                           kith_error *error)
{
    pair_masks *k = TRY_ALLOC(secret_memory_array(call->scratch, 1, sizeof *k), error);
    k->self = party_self(call->party);
    k->n_parties = party_count(call->party);
    for (uint32_t j = 0; j < k->n_parties; j++)
        if (j != k->self)
            TRY(smc_stream(&k->streams[j], call, j, purpose, 0, error));
    *out = k;
    return KITH_OK;
}

/* Adds masks to values, or subtracts them. Modulus and direction are public. */
static void shift64(uint64_t *values, const uint64_t *by, size_t n, uint64_t modulus, bool add)
{
    if (modulus == 0 && add)
        for (size_t i = 0; i < n; i++)
            values[i] += by[i];
    else if (modulus == 0)
        for (size_t i = 0; i < n; i++)
            values[i] -= by[i];
    else if (add)
        for (size_t i = 0; i < n; i++)
            values[i] = pair_masks_sum(values[i], by[i], modulus);
    else
        for (size_t i = 0; i < n; i++)
            values[i] = pair_masks_difference(values[i], by[i], modulus);
}

kith_status pair_masks_add64(pair_masks *k, uint64_t *values, size_t n, uint64_t modulus,
                             kith_error *error)
{
    CHECK(pair_masks_check(k));
    ASSERT(modulus >> 63 == 0);
    for (size_t start = 0; start < n; start += STRIP) {
        size_t part = n - start < STRIP ? n - start : STRIP;
        for (uint32_t j = 0; j < k->n_parties; j++) {
            if (j == k->self)
                continue;
            TRY(prg_residues64(k->streams[j], k->strip, part, modulus, error));
            shift64(values + start, k->strip, part, modulus, k->self < j);
        }
    }
    return KITH_OK;
}

static void shift8(uint8_t *values, const uint8_t *by, size_t n, unsigned modulus, bool add)
{
    for (size_t i = 0; i < n; i++) {
        unsigned sum = values[i] + (add ? by[i] : modulus - by[i]);
        values[i] = (uint8_t)(sum - (modulus & (0u - (sum >= modulus))));
    }
}

kith_status pair_masks_add8(pair_masks *k, uint8_t *values, size_t n, unsigned modulus,
                            kith_error *error)
{
    uint8_t *strip = (uint8_t *)k->strip;
    const size_t room = sizeof k->strip;
    CHECK(pair_masks_check(k));
    ASSERT(modulus >= 2 && modulus <= 256);
    for (size_t start = 0; start < n; start += room) {
        size_t part = n - start < room ? n - start : room;
        for (uint32_t j = 0; j < k->n_parties; j++) {
            if (j == k->self)
                continue;
            TRY(prg_residues8(k->streams[j], strip, part, modulus, error));
            shift8(values + start, strip, part, modulus, k->self < j);
        }
    }
    return KITH_OK;
}
