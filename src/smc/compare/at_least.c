#include "smc/compare/at_least.h"

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "smc/compare/equality_test.h"
#include "smc/sums/shared_sum.h"

static const equality_test_user user = {{"at_least.test", DISCLOSE_MASKED}, "smc at least"};
static const message_type result_type = {"at_least.result", DISCLOSE_AGGREGATE};

bool at_least_fits(uint32_t m, uint32_t threshold, uint32_t slack)
{
    const uint64_t max_sum = (uint64_t)m * ((uint64_t)threshold + slack) + slack;
    return m > 2 && threshold >= 1 && max_sum < EQUALITY_TEST_PRIME;
}

/* A value of threshold + slack reaches the threshold by itself, whatever the others subtract:
 * values above are cut to it, which changes no answer and keeps sums below the prime. */
static uint8_t to_residue(int64_t value, int64_t max)
{
    int64_t cut = value < max ? value : max;
    return (uint8_t)(cut + (EQUALITY_TEST_PRIME & -(cut < 0)));
}

static kith_status at_least_prepare(uint8_t *residues, uint8_t *n_refused,
                                    const at_least_sums *sums, uint32_t m, kith_error *error)
{
    int64_t outside = 0;
    for (size_t i = 0; i < sums->n; i++) {
        const int64_t threshold = sums->thresholds[i];
        if (threshold < 1 || threshold > EQUALITY_TEST_PRIME ||
            !at_least_fits(m, (uint32_t)threshold, sums->slack))
            return error_set(error, KITH_INVALID,
                             "the threshold %lld is out of range for %u parties",
                             (long long)threshold, m);
        outside |= sums->values[i] < -(int64_t)sums->slack;
        n_refused[i] = (uint8_t)(threshold + sums->slack);
        residues[i] = to_residue(sums->values[i], threshold + sums->slack);
    }
    if (outside)
        return error_set(error, KITH_INVALID, "a value is below what the threshold allows");
    return KITH_OK;
}

static kith_status at_least_decide(const smc_call *call, uint64_t *out, const at_least_sums *sums,
                                   kith_error *error)
{
    const size_t n = sums->n;
    uint8_t *shares = TRY_ALLOC(secret_memory_array(call->scratch, n, 1), error);
    uint8_t *n_refused = TRY_ALLOC(arena_array(call->scratch, n, 1), error);
    TRY(at_least_prepare(shares, n_refused, sums, party_count(call->party), error));
    TRY(shared_sum_bytes(call, shares, shares, n, EQUALITY_TEST_PRIME, error));
    /* The refused sums: -slack … threshold - 1. */
    const equality_test_values refused = {EQUALITY_TEST_PRIME - sums->slack, n_refused, 1};
    TRY(equality_test(call, out, shares, n, refused, &user, error));
    if (smc_is_hub(call))
        smc_negate(out, n);
    return smc_forward_bits(call->party, &result_type, out, n, call->output.receiver, error);
}

kith_status at_least(party *p, uint64_t *out, const at_least_sums *sums, smc_output output,
                     kith_error *error)
{
    smc_call call;
    TRY(smc_call_open(&call, p, "at least", output, error));
    return smc_call_close(&call, at_least_decide(&call, out, sums, error), sums->n);
}
