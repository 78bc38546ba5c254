#include "smc/smc.h"

#include "core/error.h"
#include "crypto/secret_memory.h"

uint32_t smc_hub(uint32_t receiver)
{
    return receiver == SMC_ALL ? 0 : receiver;
}

smc_roles smc_assign(const party *p, uint32_t receiver)
{
    const uint32_t m = party_count(p), hub = smc_hub(receiver);
    if (m == 2)
        return (smc_roles){hub, 1 - hub, hub};
    return (smc_roles){(hub + 1) % m, (hub + 2) % m, hub};
}

kith_status smc_check_receiver(const party *p, uint32_t receiver, kith_error *error)
{
    if (receiver == SMC_ALL || receiver < party_count(p))
        return KITH_OK;
    return error_set(error, KITH_INVALID, "there is no party %u to receive the output", receiver);
}

bool smc_receives(const party *p, uint32_t receiver)
{
    return receiver == SMC_ALL || receiver == party_self(p);
}

kith_status smc_send(party *p, uint32_t to, const message_type *type, const void *bytes,
                     size_t length, kith_error *error)
{
    const unsigned char *next = bytes;
    while (length > 0) {
        size_t part = length < SMC_PIECE ? length : SMC_PIECE;
        TRY(party_send(p, to, type, next, part, error));
        next += part;
        length -= part;
    }
    return KITH_OK;
}

kith_status smc_recv(party *p, uint32_t from, const message_type *type, void *bytes, size_t length,
                     kith_error *error)
{
    unsigned char *next = bytes;
    while (length > 0) {
        size_t part = length < SMC_PIECE ? length : SMC_PIECE;
        TRY(party_recv(p, from, type, next, part, error));
        next += part;
        length -= part;
    }
    return KITH_OK;
}

kith_status smc_forward(party *p, const message_type *type, void *bytes, size_t length,
                        uint32_t receiver, kith_error *error)
{
    const uint32_t hub = smc_hub(receiver), self = party_self(p);
    if (receiver != SMC_ALL)
        return KITH_OK;
    if (self != hub)
        return smc_recv(p, hub, type, bytes, length, error);
    for (uint32_t to = 0; to < party_count(p); to++)
        if (to != self)
            TRY(smc_send(p, to, type, bytes, length, error));
    return party_flush(p, error);
}

kith_status smc_stream(prg **out, party *p, arena *scratch, uint32_t peer, const char *purpose,
                       uint64_t call, uint32_t lane, kith_error *error)
{
    unsigned char key[PARTY_KEY_BYTES];
    party_key(p, peer, purpose, key);
    kith_status status = prg_new(out, scratch, key, call, lane, error);
    secret_memory_wipe(key, sizeof key);
    return status;
}
