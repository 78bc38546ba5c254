#include "smc/compare/logic.h"

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "smc/compare/equality_test.h"
#include "smc/circuits/ot_bits.h"
#include "smc/sums/shared_sum.h"

_Static_assert((int)PARTY_MAX < (int)EQUALITY_TEST_PRIME, "sums of bits must stay below the prime");

static const equality_test_user user = {{"logic.test", DISCLOSE_MASKED}, "smc logic"};
static const message_type choice_type = {"logic.choice", DISCLOSE_MASKED};
static const message_type result_type = {"logic.result", DISCLOSE_AGGREGATE};

/* Is the sum one of `count` values from `first` on? The answer is then 1, or 0 if negated. */
typedef struct question {
    unsigned first;
    uint8_t count;
    bool negated;
} question;

static kith_status threshold_of_many(const smc_call *call, uint64_t *out, const uint64_t *in,
                                     size_t n, uint32_t t, kith_error *error)
{
    /* "At least t of m" asks about the refused sums 0 … t-1 or the accepted ones t … m, whichever
     * are fewer: for OR (t = 1) the sum 0, for AND (t = m) the sum m. */
    const uint32_t n_accepted = party_count(call->party) - t + 1;
    const question q = t <= n_accepted ? (question){0, (uint8_t)t, true}
                                       : (question){t, (uint8_t)n_accepted, false};
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

/* Two parties: AND, or OR (negated inputs and output), by one oblivious transfer per bit; `out` is
 * written at the hub only. */
static kith_status logic_pair(const smc_call *call, uint64_t *out, const uint64_t *in, size_t n,
                              bool is_or, kith_error *error)
{
    const uint64_t flip = is_or ? ~UINT64_C(0) : 0; /* x OR y = NOT (NOT x AND NOT y) */
    const size_t words = smc_words(n);
    uint64_t *bits = TRY_ALLOC(secret_memory_array(call->scratch, words, sizeof *bits), error);
    ASSERT(party_count(call->party) == 2);
    for (size_t w = 0; w < words; w++)
        bits[w] = in[w] ^ flip;
    if (!smc_is_hub(call)) {
        const uint32_t receiver = 1 - party_self(call->party);
        uint64_t *zeros =
            TRY_ALLOC(secret_memory_array(call->scratch, words, sizeof *zeros), error);
        uint64_t *ones = TRY_ALLOC(secret_memory_array(call->scratch, words, sizeof *ones), error);
        TRY(ot_bits_send(call->party, receiver, zeros, ones, words, error));
        for (size_t w = 0; w < words; w++)
            ones[w] ^= bits[w];
        TRY(smc_send(call->party, receiver, &choice_type, ones, words * sizeof *ones, error));
        return party_flush(call->party, error);
    }
    /* The receiver's bit is its choice between 0 and the sender's bit, which is their AND. Only the
     * message of choice 1 is sent: a receiver that chose 0 knows its own. */
    const uint32_t sender = 1 - party_self(call->party);
    uint64_t *pads = TRY_ALLOC(secret_memory_array(call->scratch, words, sizeof *pads), error);
    uint64_t *sealed = TRY_ALLOC(arena_array(call->scratch, words, sizeof *sealed), error);
    TRY(ot_bits_receive(call->party, sender, pads, bits, words, error));
    TRY(smc_recv(call->party, sender, &choice_type, sealed, words * sizeof *sealed, error));
    for (size_t w = 0; w < words; w++)
        out[w] = (bits[w] & (pads[w] ^ sealed[w])) ^ flip;
    smc_trim(out, n);
    return KITH_OK;
}

static kith_status threshold(const smc_call *call, uint64_t *out, const uint64_t *in, size_t n,
                             uint32_t t, kith_error *error)
{
    const uint32_t m = party_count(call->party);
    if (t < 1 || t > m)
        return error_set(error, KITH_INVALID,
                         "the threshold %u is not in 1…%u, the number of parties", t, m);
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
