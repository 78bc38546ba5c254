#include "smc/equality_test.h"

#include <string.h>

#include "core/error.h"
#include "crypto/secret_memory.h"

enum {
    PRIME = EQUALITY_TEST_PRIME,
    CHUNK = 1 << 16
}; /* residues at a time: whole words of answers */

static unsigned values_of(equality_test_values range, size_t i)
{
    return range.values[i * range.step];
}

/* Values asked of the residues start … end-1. */
static size_t count_values(equality_test_values range, size_t start, size_t end)
{
    size_t count = 0;
    for (size_t i = start; i < end; i++)
        count += values_of(range, i);
    return count;
}

/* What A and B draw from their common seed, for one chunk: factors, offsets and the order of the
 * values asked, fresh for every residue and value. */
typedef struct disguise {
    prg *factor, *offset, *order;
    uint8_t *r, *s;
    uint8_t *value; /* those of one residue after those of another */
} disguise;

static kith_status disguise_init(disguise *d, party *p, arena *scratch, uint32_t peer, size_t room,
                                 const char *purpose, uint64_t call, kith_error *error)
{
    TRY(smc_stream(&d->factor, p, scratch, peer, purpose, call, 0, error));
    TRY(smc_stream(&d->offset, p, scratch, peer, purpose, call, 1, error));
    TRY(smc_stream(&d->order, p, scratch, peer, purpose, call, 2, error));
    d->r = TRY_ALLOC(secret_memory_array(scratch, room, 1), error);
    d->s = TRY_ALLOC(secret_memory_array(scratch, room, 1), error);
    d->value = TRY_ALLOC(secret_memory_array(scratch, room, 1), error);
    return KITH_OK;
}

static kith_status disguise_next(disguise *d, equality_test_values range, size_t start, size_t end,
                                 kith_error *error)
{
    const size_t all = count_values(range, start, end);
    TRY(prg_residues8(d->factor, d->r, all, PRIME - 1, error)); /* r - 1: never zero */
    TRY(prg_residues8(d->offset, d->s, all, PRIME, error));
    uint8_t *value = d->value;
    for (size_t i = start; i < end; i++) {
        const unsigned values = values_of(range, i);
        for (unsigned j = 0; j < values; j++)
            value[j] = (uint8_t)((range.first + j) % PRIME);
        if (values > 1)
            TRY(prg_shuffle(d->order, value, values, 1, error));
        value += values;
    }
    return KITH_OK;
}

/* A: r u + s. B: r (value - v) + s. */
static void disguise_apply(const disguise *d, uint8_t *out, const uint8_t *share,
                           equality_test_values range, size_t start, size_t end, bool is_b)
{
    size_t at = 0;
    for (size_t i = start; i < end; i++) {
        for (unsigned j = 0; j < values_of(range, i); j++, at++) {
            unsigned x = is_b ? d->value[at] + PRIME - share[i] : share[i];
            out[at] = (uint8_t)(((d->r[at] + 1u) * x + d->s[at]) % PRIME);
        }
    }
}

/* The hub: which residues have an equal pair. */
static void judge(uint64_t *equal, const uint8_t *from_a, const uint8_t *from_b,
                  equality_test_values range, size_t start, size_t end)
{
    size_t at = 0;
    memset(equal + start / 64, 0, smc_words(end - start) * sizeof *equal);
    for (size_t i = start; i < end; i++) {
        unsigned same = 0;
        for (unsigned j = 0; j < values_of(range, i); j++, at++)
            same |= from_a[at] == from_b[at];
        equal[i / 64] |= (uint64_t)same << i % 64;
    }
}

kith_status equality_test(party *p, uint64_t *equal, const uint8_t *share, size_t n,
                          equality_test_values range, smc_roles roles, const message_type *type,
                          const char *purpose, uint64_t call, arena *scratch, kith_error *error)
{
    const uint32_t self = party_self(p);
    const bool is_a = self == roles.a, is_b = self == roles.b;
    size_t room = 0;
    for (size_t start = 0; start < n; start += CHUNK) {
        size_t all = count_values(range, start, n - start < CHUNK ? n : start + CHUNK);
        room = all > room ? all : room;
    }
    uint8_t *first = secret_memory_array(scratch, room, 1),
            *second = secret_memory_array(scratch, room, 1);
    disguise d = {0};
    TRY_ALLOC(first, error);
    TRY_ALLOC(second, error);
    if (is_a || is_b)
        TRY(disguise_init(&d, p, scratch, is_a ? roles.b : roles.a, room, purpose, call, error));
    for (size_t start = 0; start < n; start += CHUNK) {
        const size_t end = n - start < CHUNK ? n : start + CHUNK;
        const size_t all = count_values(range, start, end);
        if (is_a || is_b) {
            TRY(disguise_next(&d, range, start, end, error));
            disguise_apply(&d, first, share, range, start, end, is_b);
            TRY(smc_send(p, roles.hub, type, first, all, error));
        } else if (self == roles.hub) {
            TRY(smc_recv(p, roles.a, type, first, all, error));
            TRY(smc_recv(p, roles.b, type, second, all, error));
            judge(equal, first, second, range, start, end);
        }
    }
    return party_flush(p, error);
}
