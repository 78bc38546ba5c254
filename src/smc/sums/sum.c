#include "smc/sums/sum.h"

#include <string.h>

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "smc/sums/pair_masks.h"

enum { PIECE = SMC_PIECE / sizeof(uint64_t) }; /* values in one message */

static const message_type share_type = {"sum.share", DISCLOSE_MASKED};
static const message_type result_type = {"sum.result", DISCLOSE_AGGREGATE};

static kith_status sum_check(const uint64_t *values, size_t n, uint64_t modulus, kith_error *error)
{
    if (modulus >> 63 != 0)
        return error_set(error, KITH_INVALID, "a modulus of a sum must be below 2^63");
    /* All values are read, whatever they are: the time taken says nothing about them. */
    uint64_t outside = 0;
    for (size_t i = 0; i < n && modulus != 0; i++)
        outside |= values[i] >= modulus;
    if (outside != 0)
        return error_set(error, KITH_INVALID, "a value to be added is not below the modulus");
    return KITH_OK;
}

/* Piece by piece, so that the hub needs no room for the vectors of all parties. */
static kith_status masked(const smc_call *call, uint64_t *sums, const uint64_t *values, size_t n,
                          uint64_t modulus, kith_error *error)
{
    party *p = call->party;
    const size_t room = n < PIECE ? n : PIECE;
    uint64_t *piece = TRY_ALLOC(secret_memory_array(call->scratch, room, sizeof *piece), error);
    uint64_t *theirs = TRY_ALLOC(arena_array(call->scratch, room, sizeof *theirs), error);
    pair_masks *masks;
    TRY(pair_masks_new(&masks, call, "smc sum", error));
    for (size_t start = 0; start < n; start += PIECE) {
        size_t part = n - start < PIECE ? n - start : PIECE;
        memcpy(piece, values + start, part * sizeof *piece);
        TRY(pair_masks_add64(masks, piece, part, modulus, error));
        if (!smc_is_hub(call)) {
            TRY(party_send(p, call->roles.hub, &share_type, piece, part * sizeof *piece, error));
            continue;
        }
        for (uint32_t from = 0; from < party_count(p); from++) {
            if (from == party_self(p))
                continue;
            TRY(party_recv(p, from, &share_type, theirs, part * sizeof *theirs, error));
            /* A peer may send anything: reduced, its values are residues again. */
            for (size_t i = 0; i < part; i++)
                theirs[i] = modulus == 0 ? theirs[i] : theirs[i] % modulus;
            for (size_t i = 0; i < part; i++)
                piece[i] = pair_masks_sum(piece[i], theirs[i], modulus);
        }
        memcpy(sums + start, piece, part * sizeof *piece);
    }
    TRY(party_flush(p, error));
    return smc_forward(p, &result_type, sums, n * sizeof *sums, call->output.receiver, error);
}

kith_status sum_masked(party *p, uint64_t *sums, const uint64_t *values, size_t n, uint64_t modulus,
                       uint32_t receiver, kith_error *error)
{
    smc_call call;
    TRY(smc_call_open(&call, p, "sum", (smc_output){receiver, "sum"}, error));
    kith_status status = sum_check(values, n, modulus, error);
    if (status == KITH_OK)
        status = masked(&call, sums, values, n, modulus, error);
    return smc_call_close(&call, status, n);
}
