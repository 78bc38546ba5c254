#include "smc/pair_masks.h"

#include "core/error.h"
#include "crypto/secret_memory.h"

enum { STRIP = 2048 }; /* values at a time: 16 KB, within the first cache */

struct pair_masks {
    uint32_t self, count;
    prg *stream[PARTY_MOST];
    uint64_t strip[STRIP];
};

kith_status pair_masks_new(pair_masks **out, party *p, arena *scratch, const char *purpose,
                           uint64_t call, kith_error *error)
{
    pair_masks *k = TRY_ALLOC(secret_memory_array(scratch, 1, sizeof *k), error);
    k->self = party_self(p);
    k->count = party_count(p);
    for (uint32_t j = 0; j < k->count; j++)
        if (j != k->self)
            TRY(smc_stream(&k->stream[j], p, scratch, j, purpose, call, 0, error));
    *out = k;
    return KITH_OK;
}

static void shift64(uint64_t *value, const uint64_t *by, size_t n, uint64_t modulus, bool add)
{
    if (modulus == 0 && add)
        for (size_t i = 0; i < n; i++)
            value[i] += by[i];
    else if (modulus == 0)
        for (size_t i = 0; i < n; i++)
            value[i] -= by[i];
    else if (add)
        for (size_t i = 0; i < n; i++)
            value[i] = pair_masks_sum(value[i], by[i], modulus);
    else
        for (size_t i = 0; i < n; i++)
            value[i] = pair_masks_difference(value[i], by[i], modulus);
}

kith_status pair_masks_add64(pair_masks *k, uint64_t *value, size_t n, uint64_t modulus,
                             kith_error *error)
{
    for (size_t start = 0; start < n; start += STRIP) {
        size_t part = n - start < STRIP ? n - start : STRIP;
        for (uint32_t j = 0; j < k->count; j++) {
            if (j == k->self)
                continue;
            TRY(prg_residues64(k->stream[j], k->strip, part, modulus, error));
            shift64(value + start, k->strip, part, modulus, k->self < j);
        }
    }
    return KITH_OK;
}

static void shift8(uint8_t *value, const uint8_t *by, size_t n, unsigned modulus, bool add)
{
    for (size_t i = 0; i < n; i++) {
        unsigned sum = value[i] + (add ? by[i] : modulus - by[i]);
        value[i] = (uint8_t)(sum - (modulus & (0u - (sum >= modulus))));
    }
}

kith_status pair_masks_add8(pair_masks *k, uint8_t *value, size_t n, unsigned modulus,
                            kith_error *error)
{
    uint8_t *strip = (uint8_t *)k->strip;
    const size_t room = sizeof k->strip;
    for (size_t start = 0; start < n; start += room) {
        size_t part = n - start < room ? n - start : room;
        for (uint32_t j = 0; j < k->count; j++) {
            if (j == k->self)
                continue;
            TRY(prg_residues8(k->stream[j], strip, part, modulus, error));
            shift8(value + start, strip, part, modulus, k->self < j);
        }
    }
    return KITH_OK;
}
