#include "support/ideal.h"

#include <string.h>

#include "core/error.h"

static const message_type input_type = {"ideal.input", DISCLOSE_RELEASE};

kith_status ideal_gather(party *p, void **all, const void *mine, size_t bytes, kith_error *error)
{
    for (uint32_t i = 0; i < party_count(p); i++) {
        all[i] = arena_alloc(party_memory(p), bytes + 1);
        TRY_ALLOC(all[i], error);
    }
    memcpy(all[party_self(p)], mine, bytes);
    return party_exchange(p, &input_type, mine, all, bytes, error);
}

kith_status ideal_sum(party *p, uint64_t *sum, const uint64_t *value, size_t n, uint64_t modulus,
                      uint32_t receiver, kith_error *error)
{
    void *all[PARTY_MAX];
    TRY(ideal_gather(p, all, value, n * sizeof *value, error));
    for (size_t i = 0; i < n && smc_receives(p, receiver); i++) {
        __uint128_t total = 0;
        for (uint32_t j = 0; j < party_count(p); j++)
            total += ((const uint64_t *)all[j])[i];
        sum[i] = (uint64_t)(modulus == 0 ? total : total % modulus);
    }
    return KITH_OK;
}

kith_status ideal_threshold(party *p, uint64_t *out, const uint64_t *in, size_t n, uint32_t t,
                            uint32_t receiver, kith_error *error)
{
    void *all[PARTY_MAX];
    TRY(ideal_gather(p, all, in, smc_words(n) * sizeof *in, error));
    if (!smc_receives(p, receiver))
        return KITH_OK;
    memset(out, 0, smc_words(n) * sizeof *out);
    for (size_t i = 0; i < n; i++) {
        uint32_t ones = 0;
        for (uint32_t j = 0; j < party_count(p); j++)
            ones += smc_bit(all[j], i);
        smc_set_bit(out, i, ones >= t);
    }
    return KITH_OK;
}
