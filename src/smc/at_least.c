#include "smc/at_least.h"

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "smc/equality_test.h"
#include "smc/shared_sum.h"

static const message_type test_type = {"at_least.test", DISCLOSE_MASKED};
static const message_type result_type = {"at_least.result", DISCLOSE_AGGREGATE};

bool at_least_fits(uint32_t m, uint32_t least, uint32_t below)
{
    const uint64_t most = (uint64_t)m * ((uint64_t)least + below) + below;
    return m > 2 && least >= 1 && most < EQUALITY_TEST_PRIME;
}

/* A value beyond least + below decides alone, however much the others take off: cutting it there
 * changes no answer and keeps sums below the prime. */
static uint8_t to_residue(int64_t value, int64_t most)
{
    int64_t cut = value < most ? value : most;
    return (uint8_t)(cut + (EQUALITY_TEST_PRIME & -(cut < 0)));
}

static kith_status prepare(uint8_t *share, uint8_t *refused, const int64_t *value,
                           const int64_t *least, size_t n, uint32_t m, uint32_t below,
                           kith_error *error)
{
    int64_t outside = 0;
    for (size_t i = 0; i < n; i++) {
        if (least[i] < 1 || least[i] > EQUALITY_TEST_PRIME ||
            !at_least_fits(m, (uint32_t)least[i], below))
            return error_set(error, KITH_INVALID, "a threshold of %lld among %u parties",
                             (long long)least[i], m);
        outside |= value[i] < -(int64_t)below;
        refused[i] = (uint8_t)(least[i] + below);
        share[i] = to_residue(value[i], least[i] + below);
    }
    if (outside)
        return error_set(error, KITH_INVALID, "a value is below what the threshold allows");
    return KITH_OK;
}

static kith_status decide(party *p, uint64_t *out, const int64_t *value, const int64_t *least,
                          size_t n, uint32_t below, smc_roles roles, uint64_t call, arena *scratch,
                          kith_error *error)
{
    uint8_t *share = TRY_ALLOC(secret_memory_array(scratch, n, 1), error);
    uint8_t *refused = arena_array(scratch, n + 1, 1);
    TRY_ALLOC(refused, error);
    TRY(prepare(share, refused, value, least, n, party_count(p), below, error));
    TRY(shared_sum_bytes(p, share, share, n, EQUALITY_TEST_PRIME, roles, call, error));
    const equality_test_values range = {EQUALITY_TEST_PRIME - below, refused, 1};
    TRY(equality_test(p, out, share, n, range, roles, &test_type, "smc at least", call, scratch,
                      error));
    if (party_self(p) == roles.hub) {
        for (size_t w = 0; w < smc_words(n); w++)
            out[w] = ~out[w];
        smc_trim(out, n);
    }
    return KITH_OK;
}

kith_status at_least_part(party *p, uint64_t *out, const int64_t *value, const int64_t *least,
                          size_t n, uint32_t below, uint32_t receiver, kith_error *error)
{
    const uint64_t call = party_next_call(p, "at least");
    TRY(smc_check_receiver(p, receiver, error));
    arena *scratch = TRY_ALLOC(arena_new(), error);
    kith_status status =
        decide(p, out, value, least, n, below, smc_assign(p, receiver), call, scratch, error);
    arena_free(scratch);
    TRY(status);
    return smc_forward(p, &result_type, out, smc_words(n) * sizeof *out, receiver, error);
}

kith_status at_least(party *p, uint64_t *out, const int64_t *value, const int64_t *least, size_t n,
                     uint32_t below, uint32_t receiver, kith_error *error)
{
    TRY(at_least_part(p, out, value, least, n, below, receiver, error));
    if (smc_receives(p, receiver))
        party_learns(p, DISCLOSE_AGGREGATE, "at least", n);
    return KITH_OK;
}
