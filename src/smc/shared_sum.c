#include "smc/shared_sum.h"

#include <string.h>

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "smc/pair_masks.h"

static const message_type share_type = {"shared.share", DISCLOSE_MASKED};

/* A adds what the others send; B sends nothing. */
static kith_status collect64(party *p, uint64_t *u, size_t n, uint64_t modulus, smc_roles roles,
                             arena *scratch, kith_error *error)
{
    uint64_t *theirs = TRY_ALLOC(arena_array(scratch, n + 1, sizeof *theirs), error);
    for (uint32_t from = 0; from < party_count(p); from++) {
        if (from == roles.a || from == roles.b)
            continue;
        TRY(smc_recv(p, from, &share_type, theirs, n * sizeof *theirs, error));
        for (size_t i = 0; i < n; i++)
            u[i] = pair_masks_sum(u[i], modulus == 0 ? theirs[i] : theirs[i] % modulus, modulus);
    }
    return KITH_OK;
}

static kith_status share64(party *p, uint64_t *share, const uint64_t *value, size_t n,
                           uint64_t modulus, smc_roles roles, uint64_t call, arena *scratch,
                           kith_error *error)
{
    const uint32_t self = party_self(p);
    uint64_t *mine = secret_memory_array(scratch, n, sizeof *mine);
    pair_masks *masks;
    TRY_ALLOC(mine, error);
    memcpy(mine, value, n * sizeof *mine);
    TRY(pair_masks_new(&masks, p, scratch, "smc shared", call, error));
    TRY(pair_masks_add64(masks, mine, n, modulus, error));
    if (self != roles.a && self != roles.b)
        return smc_send(p, roles.a, &share_type, mine, n * sizeof *mine, error);
    if (self == roles.a)
        TRY(collect64(p, mine, n, modulus, roles, scratch, error));
    memcpy(share, mine, n * sizeof *mine);
    return KITH_OK;
}

kith_status shared_sum(party *p, uint64_t *share, const uint64_t *value, size_t n, uint64_t modulus,
                       smc_roles roles, uint64_t call, kith_error *error)
{
    arena *scratch = TRY_ALLOC(arena_new(), error);
    kith_status status = share64(p, share, value, n, modulus, roles, call, scratch, error);
    arena_free(scratch);
    return status;
}

static kith_status collect8(party *p, uint8_t *u, size_t n, unsigned modulus, smc_roles roles,
                            arena *scratch, kith_error *error)
{
    uint8_t *theirs = TRY_ALLOC(arena_array(scratch, n + 1, 1), error);
    for (uint32_t from = 0; from < party_count(p); from++) {
        if (from == roles.a || from == roles.b)
            continue;
        TRY(smc_recv(p, from, &share_type, theirs, n, error));
        for (size_t i = 0; i < n; i++)
            u[i] = (uint8_t)((u[i] + theirs[i]) % modulus);
    }
    return KITH_OK;
}

static kith_status share8(party *p, uint8_t *share, const uint8_t *value, size_t n,
                          unsigned modulus, smc_roles roles, uint64_t call, arena *scratch,
                          kith_error *error)
{
    const uint32_t self = party_self(p);
    uint8_t *mine = secret_memory_array(scratch, n, 1);
    pair_masks *masks;
    TRY_ALLOC(mine, error);
    memcpy(mine, value, n);
    TRY(pair_masks_new(&masks, p, scratch, "smc shared", call, error));
    TRY(pair_masks_add8(masks, mine, n, modulus, error));
    if (self != roles.a && self != roles.b)
        return smc_send(p, roles.a, &share_type, mine, n, error);
    if (self == roles.a)
        TRY(collect8(p, mine, n, modulus, roles, scratch, error));
    memcpy(share, mine, n);
    return KITH_OK;
}

kith_status shared_sum_bytes(party *p, uint8_t *share, const uint8_t *value, size_t n,
                             unsigned modulus, smc_roles roles, uint64_t call, kith_error *error)
{
    arena *scratch = TRY_ALLOC(arena_new(), error);
    kith_status status = share8(p, share, value, n, modulus, roles, call, scratch, error);
    arena_free(scratch);
    return status;
}
