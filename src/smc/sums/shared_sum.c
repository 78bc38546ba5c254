#include "smc/sums/shared_sum.h"

#include <string.h>

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "smc/sums/pair_masks.h"

static const message_type share_type = {"shared.share", DISCLOSE_MASKED};

kith_status shared_sum(const smc_call *call, uint64_t *shares, const uint64_t *values, size_t n,
                       uint64_t modulus, kith_error *error)
{
    uint64_t *mine = TRY_ALLOC(secret_memory_array(call->scratch, n, sizeof *mine), error);
    pair_masks *masks;
    memcpy(mine, values, n * sizeof *mine);
    TRY(pair_masks_new(&masks, call, "smc shared", error));
    TRY(pair_masks_add64(masks, mine, n, modulus, error));
    if (!smc_holds_share(call))
        return smc_send(call->party, call->roles.a, &share_type, mine, n * sizeof *mine, error);
    if (smc_is_a(call)) { /* adds what the others send; B sends nothing */
        uint64_t *theirs = TRY_ALLOC(arena_array(call->scratch, n, sizeof *theirs), error);
        for (uint32_t from = 0; from < party_count(call->party); from++) {
            if (from == call->roles.a || from == call->roles.b)
                continue;
            TRY(smc_recv(call->party, from, &share_type, theirs, n * sizeof *theirs, error));
            /* A peer may send anything: reduced, its values are residues again. */
            for (size_t i = 0; i < n; i++)
                mine[i] = pair_masks_sum(mine[i], modulus == 0 ? theirs[i] : theirs[i] % modulus,
                                         modulus);
        }
    }
    memcpy(shares, mine, n * sizeof *mine);
    return KITH_OK;
}

kith_status shared_sum_bytes(const smc_call *call, uint8_t *shares, const uint8_t *values, size_t n,
                             unsigned modulus, kith_error *error)
{
    uint8_t *mine = TRY_ALLOC(secret_memory_array(call->scratch, n, 1), error);
    pair_masks *masks;
    ASSERT(modulus >= 2 && modulus <= 251);
    memcpy(mine, values, n);
    TRY(pair_masks_new(&masks, call, "smc shared", error));
    TRY(pair_masks_add8(masks, mine, n, modulus, error));
    if (!smc_holds_share(call))
        return smc_send(call->party, call->roles.a, &share_type, mine, n, error);
    if (smc_is_a(call)) {
        uint8_t *theirs = TRY_ALLOC(arena_array(call->scratch, n, 1), error);
        for (uint32_t from = 0; from < party_count(call->party); from++) {
            if (from == call->roles.a || from == call->roles.b)
                continue;
            TRY(smc_recv(call->party, from, &share_type, theirs, n, error));
            for (size_t i = 0; i < n; i++)
                mine[i] = (uint8_t)((mine[i] + theirs[i]) % modulus);
        }
    }
    memcpy(shares, mine, n);
    return KITH_OK;
}
