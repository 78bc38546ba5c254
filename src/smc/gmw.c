#include "smc/gmw.h"

#include <string.h>

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "smc/ot_bits.h"

static const message_type triple_type = {"gmw.triple", DISCLOSE_MASKED};
static const message_type and_type = {"gmw.and", DISCLOSE_MASKED};
static const message_type open_type = {"gmw.open", DISCLOSE_MASKED};

/* Shares of triples: over both parties, c = a AND b. A triple is used once: `used` only grows. */
struct gmw {
    party *p;
    arena *scratch;
    smc_roles roles;
    uint64_t call;
    uint64_t *a, *b, *c;
    size_t gates, used;
    uint64_t *mine, *theirs; /* masked inputs of a layer: first those of x, then those of y */
};

static kith_status dealt_part(gmw *g, uint32_t peer, uint64_t *a, uint64_t *b, uint64_t *c,
                              kith_error *error)
{
    const size_t bytes = g->gates * sizeof *a;
    prg *stream;
    TRY(smc_stream(&stream, g->p, g->scratch, peer, "smc triples", g->call, 0, error));
    TRY(prg_bytes(stream, a, bytes, error));
    TRY(prg_bytes(stream, b, bytes, error));
    return c == NULL ? KITH_OK : prg_bytes(stream, c, bytes, error);
}

/* A draws a, b, c and B draws a, b from seeds that they share with the hub; the hub, who knows all
 * of these, sends B the c that makes it a triple. */
static kith_status deal(gmw *g, kith_error *error)
{
    uint64_t *a = TRY_ALLOC(secret_memory_array(g->scratch, g->gates, sizeof *a), error);
    uint64_t *b = TRY_ALLOC(secret_memory_array(g->scratch, g->gates, sizeof *b), error);
    TRY(dealt_part(g, g->roles.a, g->a, g->b, g->c, error));
    TRY(dealt_part(g, g->roles.b, a, b, NULL, error));
    for (size_t w = 0; w < g->gates; w++)
        g->c[w] ^= (g->a[w] ^ a[w]) & (g->b[w] ^ b[w]);
    return smc_send(g->p, g->roles.b, &triple_type, g->c, g->gates * sizeof *g->c, error);
}

/* One cross product: the receiver's a times the sender's b, where b is the difference of the two
 * random bits that a transfer gives. `part` gets this party's share. */
static kith_status cross(gmw *g, bool receives, uint64_t *part, uint64_t *spare, kith_error *error)
{
    const uint32_t peer = 1 - party_self(g->p);
    if (receives)
        return ot_bits_receive(g->p, peer, part, g->a, g->gates, error);
    TRY(ot_bits_send(g->p, peer, part, spare, g->gates, error));
    for (size_t w = 0; w < g->gates; w++)
        g->b[w] = part[w] ^ spare[w];
    return KITH_OK;
}

static kith_status transferred(gmw *g, kith_error *error)
{
    const bool is_a = party_self(g->p) == g->roles.a;
    uint64_t *first = secret_memory_array(g->scratch, g->gates, sizeof *first);
    uint64_t *second = secret_memory_array(g->scratch, g->gates, sizeof *second);
    uint64_t *spare = secret_memory_array(g->scratch, g->gates, sizeof *spare);
    prg *coins;
    TRY_ALLOC(first, error);
    TRY_ALLOC(second, error);
    TRY_ALLOC(spare, error);
    TRY(prg_new_private(&coins, g->scratch, error));
    TRY(prg_bytes(coins, g->a, g->gates * sizeof *g->a, error));
    TRY(cross(g, is_a, first, spare, error));
    TRY(cross(g, !is_a, second, spare, error));
    for (size_t w = 0; w < g->gates; w++)
        g->c[w] = (g->a[w] & g->b[w]) ^ first[w] ^ second[w];
    return KITH_OK;
}

static kith_status make_triples(gmw *g, kith_error *error)
{
    const uint32_t self = party_self(g->p);
    if (party_count(g->p) == 2)
        return transferred(g, error);
    if (self == g->roles.a)
        return dealt_part(g, g->roles.hub, g->a, g->b, g->c, error);
    if (self == g->roles.hub)
        return deal(g, error);
    TRY(dealt_part(g, g->roles.hub, g->a, g->b, NULL, error));
    return smc_recv(g->p, g->roles.hub, &triple_type, g->c, g->gates * sizeof *g->c, error);
}

kith_status gmw_new(gmw **out, party *p, arena *scratch, smc_roles roles, size_t gates,
                    uint64_t call, kith_error *error)
{
    const uint32_t self = party_self(p);
    gmw *g = TRY_ALLOC(arena_zalloc(scratch, 1, sizeof *g), error);
    *g = (gmw){.p = p, .scratch = scratch, .roles = roles, .gates = gates, .call = call};
    *out = g;
    if (self != roles.a && self != roles.b && self != roles.hub)
        return KITH_OK;
    g->a = TRY_ALLOC(secret_memory_array(scratch, gates, sizeof *g->a), error);
    g->b = TRY_ALLOC(secret_memory_array(scratch, gates, sizeof *g->b), error);
    g->c = TRY_ALLOC(secret_memory_array(scratch, gates, sizeof *g->c), error);
    g->mine = TRY_ALLOC(secret_memory_array(scratch, 2 * gates, sizeof *g->mine), error);
    g->theirs = TRY_ALLOC(arena_array(scratch, 2 * gates + 1, sizeof *g->theirs), error);
    return make_triples(g, error);
}

kith_status gmw_and(gmw *g, uint64_t *z, const uint64_t *x, const uint64_t *y, size_t words,
                    kith_error *error)
{
    const bool is_a = party_self(g->p) == g->roles.a;
    const uint32_t other = is_a ? g->roles.b : g->roles.a;
    const uint64_t *a = g->a + g->used, *b = g->b + g->used, *c = g->c + g->used;
    const size_t bytes = 2 * words * sizeof *z;
    if (words > g->gates - g->used)
        return error_set(error, KITH_BUG, "a circuit has more gates than triples");
    g->used += words;
    for (size_t w = 0; w < words; w++) {
        g->mine[w] = x[w] ^ a[w];
        g->mine[words + w] = y[w] ^ b[w];
    }
    TRY(smc_send(g->p, other, &and_type, g->mine, bytes, error));
    TRY(smc_recv(g->p, other, &and_type, g->theirs, bytes, error));
    const uint64_t once = is_a ? ~UINT64_C(0) : 0;
    for (size_t w = 0; w < words; w++) {
        uint64_t d = g->mine[w] ^ g->theirs[w], e = g->mine[words + w] ^ g->theirs[words + w];
        z[w] = c[w] ^ (d & b[w]) ^ (e & a[w]) ^ (d & e & once);
    }
    return KITH_OK;
}

/* m > 2: A and B mask their shares with a common stream that the hub does not know. */
static kith_status send_share(gmw *g, const uint64_t *share, size_t words, kith_error *error)
{
    const uint32_t self = party_self(g->p);
    uint64_t *masked = TRY_ALLOC(secret_memory_array(g->scratch, words, sizeof *masked), error);
    if (party_count(g->p) > 2) {
        prg *stream;
        uint32_t other = self == g->roles.a ? g->roles.b : g->roles.a;
        TRY(smc_stream(&stream, g->p, g->scratch, other, "smc gmw open", g->call, 0, error));
        TRY(prg_bytes(stream, masked, words * sizeof *masked, error));
    }
    for (size_t w = 0; w < words; w++)
        masked[w] ^= share[w];
    return smc_send(g->p, g->roles.hub, &open_type, masked, words * sizeof *masked, error);
}

kith_status gmw_open(gmw *g, uint64_t *out, const uint64_t *share, size_t words, kith_error *error)
{
    const uint32_t self = party_self(g->p);
    uint64_t *theirs = TRY_ALLOC(arena_array(g->scratch, words + 1, sizeof *theirs), error);
    if (self != g->roles.hub)
        return self == g->roles.a || self == g->roles.b ? send_share(g, share, words, error)
                                                        : KITH_OK;
    if (self == g->roles.a)
        memcpy(out, share, words * sizeof *out);
    else
        TRY(smc_recv(g->p, g->roles.a, &open_type, out, words * sizeof *out, error));
    TRY(smc_recv(g->p, g->roles.b, &open_type, theirs, words * sizeof *theirs, error));
    for (size_t w = 0; w < words; w++)
        out[w] ^= theirs[w];
    return KITH_OK;
}
