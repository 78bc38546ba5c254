#include "smc/circuits/gmw.h"

#include <string.h>

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "smc/circuits/ot_bits.h"

static const message_type triple_type = {"gmw.triple", DISCLOSE_MASKED};
static const message_type and_type = {"gmw.and", DISCLOSE_MASKED};
static const message_type open_type = {"gmw.open", DISCLOSE_MASKED};

struct gmw {
    const smc_call *call;
    uint64_t *a, *b, *c; /* [n_gates] shares of triples; the hub's are those of A, completed */
    size_t n_gates, n_used;
    uint64_t *mine, *theirs; /* masked inputs of a layer: first those of x, then those of y */
    bool opened;
};

#if KITH_DEBUG
static void gmw_check(const gmw *g)
{
    CHECK(smc_call_check(g->call));
    ASSERT(g->n_used <= g->n_gates);
    if (smc_holds_share(g->call))
        ASSERT(g->a != NULL && g->b != NULL && g->c != NULL && g->mine != NULL);
}
#endif

const smc_call *gmw_call(const gmw *g)
{
    return g->call;
}

uint64_t gmw_ones(const gmw *g)
{
    return smc_is_a(g->call) ? ~UINT64_C(0) : 0;
}

/* What the hub and `peer` (A or B) stretch from their common seed; B gets no c (NULL). */
static kith_status draw_shares(const gmw *g, uint32_t peer, uint64_t *a, uint64_t *b, uint64_t *c,
                               kith_error *error)
{
    const size_t bytes = g->n_gates * sizeof *a;
    prg *stream;
    TRY(smc_stream(&stream, g->call, peer, "smc triples", 0, error));
    TRY(prg_bytes(stream, a, bytes, error));
    TRY(prg_bytes(stream, b, bytes, error));
    return c == NULL ? KITH_OK : prg_bytes(stream, c, bytes, error);
}

/* One cross product: the receiver's a times the sender's b, where b is the difference of the two
 * random bits that a transfer gives. `shares` gets this party's share. */
static kith_status multiply_across(gmw *g, bool receives, uint64_t *shares, uint64_t *spare,
                                   kith_error *error)
{
    party *p = g->call->party;
    const uint32_t peer = 1 - party_self(p);
    if (receives)
        return ot_bits_receive(p, peer, shares, g->a, g->n_gates, error);
    TRY(ot_bits_send(p, peer, shares, spare, g->n_gates, error));
    for (size_t w = 0; w < g->n_gates; w++)
        g->b[w] = shares[w] ^ spare[w];
    return KITH_OK;
}

static kith_status make_triples(gmw *g, kith_error *error)
{
    const smc_call *call = g->call;
    const uint32_t hub = call->roles.hub;
    if (party_count(call->party) == 2) {
        /* Two parties: (a_A + a_B)(b_A + b_B) is a product that each makes alone and two cross
         * products. */
        const bool is_a = smc_is_a(g->call);
        arena *scratch = g->call->scratch;
        uint64_t *first = TRY_ALLOC(secret_memory_array(scratch, g->n_gates, sizeof *first), error);
        uint64_t *second =
            TRY_ALLOC(secret_memory_array(scratch, g->n_gates, sizeof *second), error);
        uint64_t *spare = TRY_ALLOC(secret_memory_array(scratch, g->n_gates, sizeof *spare), error);
        prg *coins;
        TRY(prg_new_private(&coins, scratch, error));
        TRY(prg_bytes(coins, g->a, g->n_gates * sizeof *g->a, error));
        TRY(multiply_across(g, is_a, first, spare, error));
        TRY(multiply_across(g, !is_a, second, spare, error));
        for (size_t w = 0; w < g->n_gates; w++)
            g->c[w] = (g->a[w] & g->b[w]) ^ first[w] ^ second[w];
        return KITH_OK;
    }
    if (smc_is_a(call))
        return draw_shares(g, hub, g->a, g->b, g->c, error);
    if (smc_is_hub(call)) {
        /* A draws a, b, c and B draws a, b from seeds that they share with the hub; the hub, who
         * knows all of these, sends B the c that makes it a triple. */
        uint64_t *a = TRY_ALLOC(secret_memory_array(call->scratch, g->n_gates, sizeof *a), error);
        uint64_t *b = TRY_ALLOC(secret_memory_array(call->scratch, g->n_gates, sizeof *b), error);
        TRY(draw_shares(g, call->roles.a, g->a, g->b, g->c, error));
        TRY(draw_shares(g, call->roles.b, a, b, NULL, error));
        for (size_t w = 0; w < g->n_gates; w++)
            g->c[w] ^= (g->a[w] ^ a[w]) & (g->b[w] ^ b[w]);
        return smc_send(call->party, call->roles.b, &triple_type, g->c, g->n_gates * sizeof *g->c,
                        error);
    }
    TRY(draw_shares(g, hub, g->a, g->b, NULL, error));
    return smc_recv(call->party, hub, &triple_type, g->c, g->n_gates * sizeof *g->c, error);
}

kith_status gmw_new(gmw **out, const smc_call *call, size_t n_gates, kith_error *error)
{
    gmw *g = TRY_ALLOC(arena_zalloc(call->scratch, 1, sizeof *g), error);
    *g = (gmw){.call = call, .n_gates = n_gates};
    *out = g;
    if (!smc_holds_share(call) && !smc_is_hub(call))
        return KITH_OK;
    g->a = TRY_ALLOC(secret_memory_array(call->scratch, n_gates, sizeof *g->a), error);
    g->b = TRY_ALLOC(secret_memory_array(call->scratch, n_gates, sizeof *g->b), error);
    g->c = TRY_ALLOC(secret_memory_array(call->scratch, n_gates, sizeof *g->c), error);
    g->mine = TRY_ALLOC(secret_memory_array(call->scratch, 2 * n_gates, sizeof *g->mine), error);
    g->theirs = TRY_ALLOC(arena_array(call->scratch, 2 * n_gates, sizeof *g->theirs), error);
    return make_triples(g, error);
}

/* Beaver: d = x + a and e = y + b are opened between A and B, and xy = c + db + ea + de, where one
 * of the two, A, adds de. */
kith_status gmw_and(gmw *g, uint64_t *z, const uint64_t *x, const uint64_t *y, size_t words,
                    kith_error *error)
{
    const smc_call *call = g->call;
    const uint32_t other = smc_other_holder(call);
    const uint64_t *a = g->a + g->n_used, *b = g->b + g->n_used, *c = g->c + g->n_used;
    const size_t bytes = 2 * words * sizeof *z;
    CHECK(gmw_check(g));
    ASSERT(smc_holds_share(call) && !g->opened);
    if (words > g->n_gates - g->n_used)
        return error_set(error, KITH_BUG, "a circuit has more gates than triples");
    g->n_used += words;
    for (size_t w = 0; w < words; w++) {
        g->mine[w] = x[w] ^ a[w];
        g->mine[words + w] = y[w] ^ b[w];
    }
    TRY(smc_send(call->party, other, &and_type, g->mine, bytes, error));
    TRY(smc_recv(call->party, other, &and_type, g->theirs, bytes, error));
    const uint64_t ones = gmw_ones(g);
    for (size_t w = 0; w < words; w++) {
        uint64_t d = g->mine[w] ^ g->theirs[w], e = g->mine[words + w] ^ g->theirs[words + w];
        z[w] = c[w] ^ (d & b[w]) ^ (e & a[w]) ^ (d & e & ones);
    }
    return KITH_OK;
}

/* m > 2: A and B mask their shares with a common stream that the hub does not know. */
static kith_status send_shares(gmw *g, const uint64_t *shares, size_t words, kith_error *error)
{
    const smc_call *call = g->call;
    uint64_t *masked = TRY_ALLOC(secret_memory_array(call->scratch, words, sizeof *masked), error);
    if (party_count(call->party) > 2) {
        prg *stream;
        TRY(smc_stream(&stream, call, smc_other_holder(call), "smc gmw open", 0, error));
        TRY(prg_bytes(stream, masked, words * sizeof *masked, error));
    }
    for (size_t w = 0; w < words; w++)
        masked[w] ^= shares[w];
    return smc_send(call->party, call->roles.hub, &open_type, masked, words * sizeof *masked,
                    error);
}

kith_status gmw_open(gmw *g, uint64_t *out, const uint64_t *shares, size_t words, kith_error *error)
{
    const smc_call *call = g->call;
    CHECK(gmw_check(g));
    ASSERT(!g->opened);
    g->opened = true;
    if (!smc_is_hub(call))
        return smc_holds_share(call) ? send_shares(g, shares, words, error) : KITH_OK;
    uint64_t *theirs = TRY_ALLOC(arena_array(call->scratch, words, sizeof *theirs), error);
    if (smc_is_a(call))
        memcpy(out, shares, words * sizeof *out);
    else
        TRY(smc_recv(call->party, call->roles.a, &open_type, out, words * sizeof *out, error));
    TRY(smc_recv(call->party, call->roles.b, &open_type, theirs, words * sizeof *theirs, error));
    for (size_t w = 0; w < words; w++)
        out[w] ^= theirs[w];
    return KITH_OK;
}
