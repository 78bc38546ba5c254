#include "smc/logic.h"

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "smc/equality_test.h"
#include "smc/logic_pair.h"
#include "smc/shared_sum.h"

_Static_assert((int)PARTY_MAX < (int)EQUALITY_TEST_PRIME, "sums of bits must stay below the prime");

static const equality_test_user user = {{"logic.test", DISCLOSE_MASKED}, "smc logic"};
static const message_type result_type = {"logic.result", DISCLOSE_AGGREGATE};

/* Is the sum one of `count` values from `first` on? The answer is then 1, or 0 if negated. */
typedef struct question {
    unsigned first;
    uint8_t count;
    bool negated;
} question;

/* "At least t of m" asks about the refused sums 0 … t-1 or the accepted ones t … m, whichever are
 * fewer: for OR (t = 1) the sum 0, for AND (t = m) the sum m. */
static question logic_ask(uint32_t m, uint32_t t)
{
    return t <= m - t + 1 ? (question){0, (uint8_t)t, true}
                          : (question){t, (uint8_t)(m - t + 1), false};
}

static kith_status threshold_of_many(const smc_call *call, uint64_t *out, const uint64_t *in,
                                     size_t n, uint32_t t, kith_error *error)
{
    const question q = logic_ask(party_count(call->party), t);
    uint8_t *shares = TRY_ALLOC(secret_memory_array(call->scratch, n, 1), error);
    for (size_t i = 0; i < n; i++)
        shares[i] = (uint8_t)smc_bit(in, i);
    /* Steps 1 to 8. */
    TRY(shared_sum_bytes(call, shares, shares, n, EQUALITY_TEST_PRIME, error));
    /* Steps 9 and 10. */
    const equality_test_values values = {q.first, &q.count, 0};
    TRY(equality_test(call, out, shares, n, values, &user, error));
    if (q.negated && smc_is_hub(call))
        smc_negate(out, n);
    return KITH_OK;
}

static kith_status threshold(const smc_call *call, uint64_t *out, const uint64_t *in, size_t n,
                             uint32_t t, kith_error *error)
{
    const uint32_t m = party_count(call->party);
    if (t < 1 || t > m)
        return error_set(error, KITH_INVALID, "a threshold of %u among %u parties", t, m);
    TRY(m > 2 ? threshold_of_many(call, out, in, n, t, error)
              : logic_pair(call, out, in, n, t == 1, error));
    TRY(smc_forward_bits(call->party, &result_type, out, n, call->output.receiver, error));
    if (smc_receives(call->party, call->output.receiver))
        CHECK(smc_bits_check(out, n));
    return KITH_OK;
}

kith_status logic_and_in_call(const smc_call *call, uint64_t *out, const uint64_t *in, size_t n,
                              kith_error *error)
{
    return threshold(call, out, in, n, party_count(call->party), error);
}

/* A call of its own, named as its entry. */
static kith_status logic_run(party *p, uint64_t *out, const uint64_t *in, size_t n, uint32_t t,
                             smc_output output, kith_error *error)
{
    smc_call call;
    TRY(smc_call_open(&call, p, output.entry, output, error));
    return smc_call_close(&call, threshold(&call, out, in, n, t, error), n);
}

kith_status logic_and(party *p, uint64_t *out, const uint64_t *in, size_t n, uint32_t receiver,
                      kith_error *error)
{
    return logic_run(p, out, in, n, party_count(p), (smc_output){receiver, "and"}, error);
}

kith_status logic_or(party *p, uint64_t *out, const uint64_t *in, size_t n, uint32_t receiver,
                     kith_error *error)
{
    return logic_run(p, out, in, n, 1, (smc_output){receiver, "or"}, error);
}

kith_status logic_threshold(party *p, uint64_t *out, const uint64_t *in, size_t n, uint32_t t,
                            uint32_t receiver, kith_error *error)
{
    return logic_run(p, out, in, n, t, (smc_output){receiver, "threshold"}, error);
}
