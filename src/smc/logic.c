#include "smc/logic.h"

#include <string.h>

#include "core/error.h"
#include "crypto/secret.h"
#include "smc/logic_pair.h"
#include "smc/shared_sum.h"

/* Residues modulo a prime above every sum of bits. */
enum { PRIME = 251, CHUNK = 1 << 16 };
_Static_assert((int)PARTY_MOST < (int)PRIME, "sums of bits must stay below the prime");

static const message_type test_type = {"logic.test", DISCLOSE_MASKED};
static const message_type result_type = {"logic.result", DISCLOSE_AGGREGATE};

/* Is the sum one of `values` values from `first` on? The answer is then 1, or 0 if negated. */
typedef struct question {
    unsigned first;
    unsigned values;
    bool negated;
} question;

static question ask(uint32_t m, uint32_t t)
{
    return t <= m - t + 1 ? (question){0, t, true} : (question){t, m - t + 1, false};
}

/* What A and B draw from their common seed, for one chunk: factors, offsets and the order of the
 * values asked, fresh for every bit and value. */
typedef struct disguise {
    prg *factor, *offset, *order;
    uint8_t *r, *s;
    uint8_t *value; /* [bit][place] */
} disguise;

static kith_status disguise_init(disguise *d, party *p, arena *scratch, uint32_t peer, size_t room,
                                 uint64_t call, kith_error *error)
{
    TRY(smc_stream(&d->factor, p, scratch, peer, "smc logic", call, 0, error));
    TRY(smc_stream(&d->offset, p, scratch, peer, "smc logic", call, 1, error));
    TRY(smc_stream(&d->order, p, scratch, peer, "smc logic", call, 2, error));
    d->r = secret_array(scratch, room, 1);
    d->s = secret_array(scratch, room, 1);
    d->value = secret_array(scratch, room, 1);
    TRY_ALLOC(d->r, error);
    TRY_ALLOC(d->s, error);
    TRY_ALLOC(d->value, error);
    return KITH_OK;
}

static kith_status disguise_next(disguise *d, size_t n, question q, kith_error *error)
{
    TRY(prg_residues8(d->factor, d->r, n * q.values, PRIME - 1, error)); /* r - 1: never zero */
    TRY(prg_residues8(d->offset, d->s, n * q.values, PRIME, error));
    for (size_t i = 0; i < n; i++) {
        for (unsigned j = 0; j < q.values; j++)
            d->value[i * q.values + j] = (uint8_t)(q.first + j);
        if (q.values > 1)
            TRY(prg_shuffle(d->order, d->value + i * q.values, q.values, 1, error));
    }
    return KITH_OK;
}

/* A: r u + s. B: r (value - v) + s. */
static void disguise_apply(const disguise *d, uint8_t *out, const uint8_t *share, size_t n,
                           unsigned values, bool is_b)
{
    for (size_t i = 0; i < n; i++) {
        for (unsigned j = 0; j < values; j++) {
            size_t at = i * values + j;
            unsigned x = is_b ? d->value[at] + PRIME - share[i] : share[i];
            out[at] = (uint8_t)(((d->r[at] + 1u) * x + d->s[at]) % PRIME);
        }
    }
}

/* C: which bits have an equal pair. */
static void judge(uint64_t *out, const uint8_t *from_a, const uint8_t *from_b, size_t n, question q)
{
    memset(out, 0, smc_words(n) * sizeof *out);
    for (size_t i = 0; i < n; i++) {
        unsigned equal = 0;
        for (unsigned j = 0; j < q.values; j++)
            equal |= from_a[i * q.values + j] == from_b[i * q.values + j];
        out[i / 64] |= (uint64_t)(equal ^ q.negated) << i % 64;
    }
}

/* Buffers for one chunk. */
typedef struct room {
    uint8_t *mine;  /* [bit] input, then share */
    uint8_t *first; /* [bit][value] a disguised side */
    uint8_t *second;
} room;

static kith_status chunk(party *p, uint32_t self, uint64_t *out, room *w, disguise *d, size_t n,
                         question q, smc_roles roles, kith_error *error)
{
    const size_t bytes = n * q.values;
    if (self == roles.a || self == roles.b) {
        TRY(disguise_next(d, n, q, error));
        disguise_apply(d, w->first, w->mine, n, q.values, self == roles.b);
        return smc_send(p, roles.hub, &test_type, w->first, bytes, error);
    }
    if (self != roles.hub)
        return KITH_OK;
    TRY(smc_recv(p, roles.a, &test_type, w->first, bytes, error));
    TRY(smc_recv(p, roles.b, &test_type, w->second, bytes, error));
    judge(out, w->first, w->second, n, q);
    return KITH_OK;
}

static kith_status many(party *p, uint64_t *out, const uint64_t *in, size_t n, question q,
                        smc_roles roles, uint64_t call, arena *scratch, kith_error *error)
{
    const uint32_t self = party_self(p);
    const size_t most = n < CHUNK ? n : CHUNK;
    room w = {secret_array(scratch, n, 1), secret_array(scratch, most * q.values, 1),
              secret_array(scratch, most * q.values, 1)};
    disguise d = {0};
    TRY_ALLOC(w.mine, error);
    TRY_ALLOC(w.first, error);
    TRY_ALLOC(w.second, error);
    if (self == roles.a || self == roles.b)
        TRY(disguise_init(&d, p, scratch, self == roles.a ? roles.b : roles.a, most * q.values,
                          call, error));
    for (size_t i = 0; i < n; i++)
        w.mine[i] = (uint8_t)smc_bit(in, i);
    TRY(shared_sum_bytes(p, w.mine, w.mine, n, PRIME, roles, call, error));
    uint8_t *share = w.mine;
    for (size_t start = 0; start < n; start += CHUNK) {
        w.mine = share + start;
        size_t part = n - start < CHUNK ? n - start : CHUNK;
        uint64_t *answer = self == roles.hub ? out + start / 64 : NULL;
        TRY(chunk(p, self, answer, &w, &d, part, q, roles, error));
    }
    return party_flush(p, error);
}

static kith_status threshold(party *p, uint64_t *out, const uint64_t *in, size_t n, uint32_t t,
                             uint32_t receiver, uint64_t call, kith_error *error)
{
    const uint32_t m = party_count(p);
    TRY(smc_check_receiver(p, receiver, error));
    if (t < 1 || t > m)
        return error_set(error, KITH_INVALID, "a threshold of %u among %u parties", t, m);
    arena *scratch = arena_new();
    TRY_ALLOC(scratch, error);
    smc_roles roles = smc_assign(p, receiver);
    kith_status status = m > 2 ? many(p, out, in, n, ask(m, t), roles, call, scratch, error)
                               : logic_pair(p, out, in, n, t == 1, roles.hub, scratch, error);
    arena_free(scratch);
    TRY(status);
    return smc_forward(p, &result_type, out, smc_words(n) * sizeof *out, receiver, error);
}

static kith_status named(party *p, uint64_t *out, const uint64_t *in, size_t n, uint32_t t,
                         uint32_t receiver, const char *name, kith_error *error)
{
    const uint64_t call = party_next_call(p, name);
    TRY(threshold(p, out, in, n, t, receiver, call, error));
    if (smc_receives(p, receiver))
        party_learns(p, DISCLOSE_AGGREGATE, name, n);
    return KITH_OK;
}

kith_status logic_and(party *p, uint64_t *out, const uint64_t *in, size_t n, uint32_t receiver,
                      kith_error *error)
{
    return named(p, out, in, n, party_count(p), receiver, "and", error);
}

kith_status logic_or(party *p, uint64_t *out, const uint64_t *in, size_t n, uint32_t receiver,
                     kith_error *error)
{
    return named(p, out, in, n, 1, receiver, "or", error);
}

kith_status logic_threshold(party *p, uint64_t *out, const uint64_t *in, size_t n, uint32_t t,
                            uint32_t receiver, kith_error *error)
{
    return named(p, out, in, n, t, receiver, "threshold", error);
}

kith_status logic_and_part(party *p, uint64_t *out, const uint64_t *in, size_t n, uint32_t receiver,
                           uint64_t call, kith_error *error)
{
    return threshold(p, out, in, n, party_count(p), receiver, call, error);
}
