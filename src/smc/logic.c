#include "smc/logic.h"

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "smc/logic_pair.h"
#include "smc/equality_test.h"
#include "smc/shared_sum.h"

_Static_assert((int)PARTY_MOST < (int)EQUALITY_TEST_PRIME,
               "sums of bits must stay below the prime");

static const message_type test_type = {"logic.test", DISCLOSE_MASKED};
static const message_type result_type = {"logic.result", DISCLOSE_AGGREGATE};

/* Is the sum one of `values` values from `first` on? The answer is then 1, or 0 if negated. */
typedef struct question {
    unsigned first;
    unsigned values;
    bool negated;
} question;

static question ask(uint32_t m, uint32_t t)
{
    return t <= m - t + 1 ? (question){0, t, true} : (question){t, m - t + 1, false};
}

static kith_status many(party *p, uint64_t *out, const uint64_t *in, size_t n, question q,
                        smc_roles roles, uint64_t call, arena *scratch, kith_error *error)
{
    uint8_t *share = TRY_ALLOC(secret_memory_array(scratch, n, 1), error);
    for (size_t i = 0; i < n; i++)
        share[i] = (uint8_t)smc_bit(in, i);
    TRY(shared_sum_bytes(p, share, share, n, EQUALITY_TEST_PRIME, roles, call, error));
    const uint8_t values = (uint8_t)q.values;
    const equality_test_values range = {q.first, &values, 0};
    TRY(equality_test(p, out, share, n, range, roles, &test_type, "smc logic", call, scratch,
                      error));
    if (q.negated && party_self(p) == roles.hub) {
        for (size_t w = 0; w < smc_words(n); w++)
            out[w] = ~out[w];
        smc_trim(out, n);
    }
    return KITH_OK;
}

static kith_status threshold(party *p, uint64_t *out, const uint64_t *in, size_t n, uint32_t t,
                             uint32_t receiver, uint64_t call, kith_error *error)
{
    const uint32_t m = party_count(p);
    TRY(smc_check_receiver(p, receiver, error));
    if (t < 1 || t > m)
        return error_set(error, KITH_INVALID, "a threshold of %u among %u parties", t, m);
    arena *scratch = TRY_ALLOC(arena_new(), error);
    smc_roles roles = smc_assign(p, receiver);
    kith_status status = m > 2 ? many(p, out, in, n, ask(m, t), roles, call, scratch, error)
                               : logic_pair(p, out, in, n, t == 1, roles.hub, scratch, error);
    arena_free(scratch);
    TRY(status);
    return smc_forward(p, &result_type, out, smc_words(n) * sizeof *out, receiver, error);
}

static kith_status named(party *p, uint64_t *out, const uint64_t *in, size_t n, uint32_t t,
                         uint32_t receiver, const char *name, kith_error *error)
{
    const uint64_t call = party_next_call(p, name);
    TRY(threshold(p, out, in, n, t, receiver, call, error));
    if (smc_receives(p, receiver))
        party_learns(p, DISCLOSE_AGGREGATE, name, n);
    return KITH_OK;
}

kith_status logic_and(party *p, uint64_t *out, const uint64_t *in, size_t n, uint32_t receiver,
                      kith_error *error)
{
    return named(p, out, in, n, party_count(p), receiver, "and", error);
}

kith_status logic_or(party *p, uint64_t *out, const uint64_t *in, size_t n, uint32_t receiver,
                     kith_error *error)
{
    return named(p, out, in, n, 1, receiver, "or", error);
}

kith_status logic_threshold(party *p, uint64_t *out, const uint64_t *in, size_t n, uint32_t t,
                            uint32_t receiver, kith_error *error)
{
    return named(p, out, in, n, t, receiver, "threshold", error);
}

kith_status logic_and_part(party *p, uint64_t *out, const uint64_t *in, size_t n, uint32_t receiver,
                           uint64_t call, kith_error *error)
{
    return threshold(p, out, in, n, party_count(p), receiver, call, error);
}
