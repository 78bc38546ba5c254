#include "smc/sum.h"

#include <string.h>

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "smc/pair_masks.h"

enum { PIECE = SMC_PIECE / sizeof(uint64_t) }; /* values in one message */

static const message_type share_type = {"sum.share", DISCLOSE_MASKED};
static const message_type result_type = {"sum.result", DISCLOSE_AGGREGATE};

kith_status sum_check(const uint64_t *value, size_t n, uint64_t modulus, kith_error *error)
{
    if (modulus >> 63 != 0)
        return error_set(error, KITH_INVALID, "a modulus of a sum must be below 2^63");
    uint64_t outside = 0;
    for (size_t i = 0; i < n && modulus != 0; i++)
        outside |= value[i] >= modulus;
    if (outside != 0)
        return error_set(error, KITH_INVALID, "a value to be added is not below the modulus");
    return KITH_OK;
}

/* The receiver's piece: its own masked values in `piece` plus everyone else's. */
static kith_status collect(party *p, uint64_t *piece, uint64_t *theirs, size_t n, uint64_t modulus,
                           kith_error *error)
{
    for (uint32_t from = 0; from < party_count(p); from++) {
        if (from == party_self(p))
            continue;
        TRY(party_recv(p, from, &share_type, theirs, n * sizeof *theirs, error));
        for (size_t i = 0; i < n; i++)
            theirs[i] = modulus == 0 ? theirs[i] : theirs[i] % modulus;
        for (size_t i = 0; i < n; i++)
            piece[i] = pair_masks_sum(piece[i], theirs[i], modulus);
    }
    return KITH_OK;
}

static kith_status masked(party *p, uint64_t *sum, const uint64_t *value, size_t n,
                          uint64_t modulus, uint32_t receiver, uint64_t call, arena *scratch,
                          kith_error *error)
{
    const uint32_t hub = smc_hub(receiver);
    const size_t room = n < PIECE ? n : PIECE;
    uint64_t *piece = secret_memory_array(scratch, room, sizeof *piece);
    uint64_t *theirs = arena_array(scratch, room + 1, sizeof *theirs);
    pair_masks *masks;
    TRY_ALLOC(piece, error);
    TRY_ALLOC(theirs, error);
    TRY(pair_masks_new(&masks, p, scratch, "smc sum", call, error));
    for (size_t start = 0; start < n; start += PIECE) {
        size_t part = n - start < PIECE ? n - start : PIECE;
        memcpy(piece, value + start, part * sizeof *piece);
        TRY(pair_masks_add64(masks, piece, part, modulus, error));
        if (party_self(p) != hub) {
            TRY(party_send(p, hub, &share_type, piece, part * sizeof *piece, error));
            continue;
        }
        TRY(collect(p, piece, theirs, part, modulus, error));
        memcpy(sum + start, piece, part * sizeof *piece);
    }
    TRY(party_flush(p, error));
    TRY(smc_forward(p, &result_type, sum, n * sizeof *sum, receiver, error));
    return KITH_OK;
}

kith_status sum_masked(party *p, uint64_t *sum, const uint64_t *value, size_t n, uint64_t modulus,
                       uint32_t receiver, kith_error *error)
{
    const uint64_t call = party_next_call(p, "sum");
    TRY(smc_check_receiver(p, receiver, error));
    TRY(sum_check(value, n, modulus, error));
    arena *scratch = TRY_ALLOC(arena_new(), error);
    kith_status status = masked(p, sum, value, n, modulus, receiver, call, scratch, error);
    arena_free(scratch);
    if (status == KITH_OK && smc_receives(p, receiver))
        party_learns(p, DISCLOSE_AGGREGATE, "sum", n);
    return status;
}
