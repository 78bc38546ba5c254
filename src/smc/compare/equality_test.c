#include "smc/compare/equality_test.h"

#include <string.h>

#include "core/error.h"
#include "crypto/secret_memory.h"

enum { PRIME = EQUALITY_TEST_PRIME, CHUNK = 1 << 16 }; /* residues at a time: whole words */

/* The residues that are tested together. */
typedef struct chunk {
    equality_test_values values;
    size_t start, end;
    size_t n_values; /* asked of these residues */
} chunk;

static unsigned count_of(const chunk *c, size_t i)
{
    return c->values.counts[i * c->values.stride];
}

static chunk chunk_at(equality_test_values values, size_t start, size_t n)
{
    chunk c = {values, start, n - start < CHUNK ? n : start + CHUNK, 0};
    for (size_t i = c.start; i < c.end; i++)
        c.n_values += count_of(&c, i);
    return c;
}

/* What A and B draw from their common seed, for one chunk: factors, offsets and the order of the
 * values asked, fresh for every residue and value. */
typedef struct disguise {
    prg *factor_stream, *offset_stream, *order_stream;
    uint8_t *factors; /* r - 1 */
    uint8_t *offsets; /* s */
    uint8_t *values;  /* those of residue 0, then those of residue 1, … */
} disguise;

static kith_status disguise_next(disguise *d, const chunk *c, kith_error *error)
{
    TRY(prg_residues8(d->factor_stream, d->factors, c->n_values, PRIME - 1, error));
    TRY(prg_residues8(d->offset_stream, d->offsets, c->n_values, PRIME, error));
    uint8_t *values = d->values;
    for (size_t i = c->start; i < c->end; i++) {
        const unsigned count = count_of(c, i);
        for (unsigned j = 0; j < count; j++)
            values[j] = (uint8_t)((c->values.first + j) % PRIME);
        /* In a fixed order the place of the equal pair would tell the hub the residue. */
        if (count > 1)
            TRY(prg_shuffle(d->order_stream, values, count, 1, error));
        values += count;
    }
    return KITH_OK;
}

/* Step 10, at the hub: which residues have an equal pair. */
static void compare_pairs(uint64_t *equal, const uint8_t *from_a, const uint8_t *from_b,
                          const chunk *c)
{
    size_t at = 0;
    memset(equal + c->start / 64, 0, smc_words(c->end - c->start) * sizeof *equal);
    for (size_t i = c->start; i < c->end; i++) {
        unsigned same = 0;
        for (unsigned j = 0; j < count_of(c, i); j++, at++)
            same |= from_a[at] == from_b[at];
        equal[i / 64] |= (uint64_t)same << i % 64;
    }
}

kith_status equality_test(const smc_call *call, uint64_t *equal, const uint8_t *shares, size_t n,
                          equality_test_values values, const equality_test_user *user,
                          kith_error *error)
{
    party *p = call->party;
    const bool holds_share = smc_holds_share(call);
    size_t room = 0;
    ASSERT(party_count(p) > 2); /* with two parties the hub is A: it would see its own pair */
    for (size_t start = 0; start < n; start += CHUNK) {
        const chunk c = chunk_at(values, start, n);
        room = c.n_values > room ? c.n_values : room;
    }
    uint8_t *first = TRY_ALLOC(secret_memory_array(call->scratch, room, 1), error);
    uint8_t *second = TRY_ALLOC(secret_memory_array(call->scratch, room, 1), error);
    disguise d = {0};
    if (holds_share) {
        const uint32_t peer = smc_other_holder(call);
        TRY(smc_stream(&d.factor_stream, call, peer, user->purpose, 0, error));
        TRY(smc_stream(&d.offset_stream, call, peer, user->purpose, 1, error));
        TRY(smc_stream(&d.order_stream, call, peer, user->purpose, 2, error));
        d.factors = TRY_ALLOC(secret_memory_array(call->scratch, room, 1), error);
        d.offsets = TRY_ALLOC(secret_memory_array(call->scratch, room, 1), error);
        d.values = TRY_ALLOC(secret_memory_array(call->scratch, room, 1), error);
    }
    for (size_t start = 0; start < n; start += CHUNK) {
        const chunk c = chunk_at(values, start, n);
        if (holds_share) {
            TRY(disguise_next(&d, &c, error));
            /* A: r u + s. B (step 9): r (w - v) + s. */
            const bool is_b = smc_is_b(call);
            size_t at = 0;
            for (size_t i = c.start; i < c.end; i++) {
                for (unsigned j = 0; j < count_of(&c, i); j++, at++) {
                    unsigned x = is_b ? d.values[at] + PRIME - shares[i] : shares[i];
                    first[at] = (uint8_t)(((d.factors[at] + 1u) * x + d.offsets[at]) % PRIME);
                }
            }
            TRY(smc_send(p, call->roles.hub, &user->type, first, c.n_values, error));
        } else if (smc_is_hub(call)) {
            TRY(smc_recv(p, call->roles.a, &user->type, first, c.n_values, error));
            TRY(smc_recv(p, call->roles.b, &user->type, second, c.n_values, error));
            compare_pairs(equal, first, second, &c);
        }
    }
    return party_flush(p, error);
}
