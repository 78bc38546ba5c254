#include "smc/logic_pair.h"

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "smc/ot_bits.h"

static const message_type choice_type = {"logic.choice", DISCLOSE_MASKED};

/* The receiver's bit is its choice between 0 and the sender's bit, which is their AND. Only the
 * message of choice 1 is sent: a receiver that chose 0 knows its own. */
static kith_status receive(const smc_call *call, uint64_t *out, const uint64_t *choices,
                           size_t words, uint64_t flip, kith_error *error)
{
    const uint32_t sender = 1 - party_self(call->party);
    uint64_t *pads = TRY_ALLOC(secret_memory_array(call->scratch, words, sizeof *pads), error);
    uint64_t *sealed = TRY_ALLOC(arena_array(call->scratch, words, sizeof *sealed), error);
    TRY(ot_bits_receive(call->party, sender, pads, choices, words, error));
    TRY(smc_recv(call->party, sender, &choice_type, sealed, words * sizeof *sealed, error));
    for (size_t w = 0; w < words; w++)
        out[w] = (choices[w] & (pads[w] ^ sealed[w])) ^ flip;
    return KITH_OK;
}

static kith_status send(const smc_call *call, const uint64_t *bits, size_t words, kith_error *error)
{
    const uint32_t receiver = 1 - party_self(call->party);
    uint64_t *zeros = TRY_ALLOC(secret_memory_array(call->scratch, words, sizeof *zeros), error);
    uint64_t *ones = TRY_ALLOC(secret_memory_array(call->scratch, words, sizeof *ones), error);
    TRY(ot_bits_send(call->party, receiver, zeros, ones, words, error));
    for (size_t w = 0; w < words; w++)
        ones[w] ^= bits[w];
    TRY(smc_send(call->party, receiver, &choice_type, ones, words * sizeof *ones, error));
    return party_flush(call->party, error);
}

kith_status logic_pair(const smc_call *call, uint64_t *out, const uint64_t *in, size_t n,
                       bool is_or, kith_error *error)
{
    const uint64_t flip = is_or ? ~UINT64_C(0) : 0; /* x OR y = NOT (NOT x AND NOT y) */
    const size_t words = smc_words(n);
    uint64_t *bits = TRY_ALLOC(secret_memory_array(call->scratch, words, sizeof *bits), error);
    ASSERT(party_count(call->party) == 2);
    for (size_t w = 0; w < words; w++)
        bits[w] = in[w] ^ flip;
    if (!smc_is_hub(call))
        return send(call, bits, words, error);
    TRY(receive(call, out, bits, words, flip, error));
    smc_trim(out, n);
    return KITH_OK;
}
