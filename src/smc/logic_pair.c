#include "smc/logic_pair.h"

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "smc/ot_bits.h"

static const message_type choice_type = {"logic.choice", DISCLOSE_MASKED};

/* The receiver's bit is its choice between 0 and the sender's bit, which is their AND. */
static kith_status receive(party *p, uint64_t *out, const uint64_t *choice, size_t words,
                           uint64_t flip, arena *scratch, kith_error *error)
{
    const uint32_t sender = 1 - party_self(p);
    uint64_t *pad = TRY_ALLOC(secret_memory_array(scratch, words, sizeof *pad), error);
    uint64_t *sealed = TRY_ALLOC(arena_array(scratch, 2 * words + 1, sizeof *sealed), error);
    TRY(ot_bits_receive(p, sender, pad, choice, words, error));
    TRY(smc_recv(p, sender, &choice_type, sealed, 2 * words * sizeof *sealed, error));
    for (size_t w = 0; w < words; w++) {
        uint64_t zero = sealed[w], one = sealed[words + w];
        out[w] = pad[w] ^ (zero ^ (choice[w] & (zero ^ one))) ^ flip;
    }
    return KITH_OK;
}

static kith_status send(party *p, const uint64_t *bit, size_t words, arena *scratch,
                        kith_error *error)
{
    const uint32_t receiver = 1 - party_self(p);
    uint64_t *sealed = TRY_ALLOC(secret_memory_array(scratch, 2 * words, sizeof *sealed), error);
    TRY(ot_bits_send(p, receiver, sealed, sealed + words, words, error));
    for (size_t w = 0; w < words; w++)
        sealed[words + w] ^= bit[w]; /* the message of choice 0 is 0 */
    TRY(smc_send(p, receiver, &choice_type, sealed, 2 * words * sizeof *sealed, error));
    return party_flush(p, error);
}

kith_status logic_pair(party *p, uint64_t *out, const uint64_t *in, size_t n, bool is_or,
                       uint32_t receiver, arena *scratch, kith_error *error)
{
    const uint64_t flip = is_or ? ~UINT64_C(0) : 0;
    const size_t words = smc_words(n);
    uint64_t *bit = TRY_ALLOC(secret_memory_array(scratch, words, sizeof *bit), error);
    for (size_t w = 0; w < words; w++)
        bit[w] = in[w] ^ flip;
    if (party_self(p) != receiver)
        return send(p, bit, words, scratch, error);
    TRY(receive(p, out, bit, words, flip, scratch, error));
    if (words > 0)
        smc_trim(out, n);
    return KITH_OK;
}
