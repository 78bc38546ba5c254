#include "smc/commute.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "crypto/secret_memory.h"

static const message_type size_type = {"set.size", DISCLOSE_AGGREGATE};
static const message_type ring_type = {"set.ring", DISCLOSE_BLINDED};
static const message_type merge_type = {"set.merge", DISCLOSE_BLINDED};
static const message_type chosen_type = {"set.chosen", DISCLOSE_AGGREGATE};
static const message_type strip_type = {"set.strip", DISCLOSE_BLINDED};
static const message_type plain_type = {"set.plain", DISCLOSE_AGGREGATE};

static const uint64_t most_points = UINT64_C(1) << 32;

struct commute {
    party *p;
    arena *scratch;
    scalar *secret; /* key, and its inverse */
    prg *coins;
};

kith_status commute_new(commute **out, party *p, arena *scratch, kith_error *error)
{
    commute *c = TRY_ALLOC(arena_zalloc(scratch, 1, sizeof *c), error);
    c->p = p;
    c->scratch = scratch;
    c->secret = TRY_ALLOC(secret_memory_array(scratch, 2, sizeof *c->secret), error);
    ristretto_random_scalar(&c->secret[0]);
    ristretto_invert(&c->secret[1], &c->secret[0]);
    *out = c;
    return prg_new_private(&c->coins, scratch, error);
}

void commute_point(point *out, commute_key key)
{
    ristretto_hash(out, "kith commutative key", key.bytes, key.length);
}

int commute_order(const void *a, const void *b)
{
    return memcmp(((const point *)a)->bytes, ((const point *)b)->bytes, RISTRETTO_BYTES);
}

bool commute_holds(const commute_set *set, const point *p)
{
    return bsearch(p, set->point, set->count, sizeof *p, commute_order) != NULL;
}

kith_status commute_points(commute_set *out, const commute_key *key, size_t n, arena *memory,
                           kith_error *error)
{
    out->point = TRY_ALLOC(secret_memory_array(memory, n, sizeof *out->point), error);
    for (size_t i = 0; i < n; i++)
        commute_point(&out->point[i], key[i]);
    qsort(out->point, n, sizeof *out->point, commute_order);
    out->count = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || commute_order(&out->point[out->count - 1], &out->point[i]) != 0)
            out->point[out->count++] = out->point[i];
    return KITH_OK;
}

/* Multiplies all points by one of my scalars, and shuffles. `from` is who sent them, for messages.
 */
static kith_status apply(commute *c, commute_set *set, const scalar *s, uint32_t from,
                         kith_error *error)
{
    for (size_t i = 0; i < set->count; i++) {
        point checked;
        TRY(party_poll(c->p, error));
        if (!ristretto_parse(&checked, set->point[i].bytes) ||
            !ristretto_multiply(&set->point[i], s, &checked))
            return party_accuse(c->p, from, error, "sent something that is no group element");
    }
    return prg_shuffle(c->coins, set->point, set->count, sizeof *set->point, error);
}

static kith_status make_set(commute *c, commute_set *set, uint64_t count, kith_error *error)
{
    set->count = count;
    set->point = TRY_ALLOC(arena_array(c->scratch, count + 1, sizeof *set->point), error);
    return KITH_OK;
}

static kith_status exchange_sizes(commute *c, uint64_t *sizes, uint64_t mine, kith_error *error)
{
    void *place[PARTY_MOST];
    for (uint32_t i = 0; i < party_count(c->p); i++)
        place[i] = &sizes[i];
    sizes[party_self(c->p)] = mine;
    TRY(party_exchange(c->p, &size_type, &mine, place, sizeof mine, error));
    for (uint32_t i = 0; i < party_count(c->p); i++)
        if (sizes[i] > most_points)
            return party_accuse(c->p, i, error, "announces a set of %llu keys",
                                (unsigned long long)sizes[i]);
    return KITH_OK;
}

static kith_status move_set(commute *c, uint32_t to, const message_type *type,
                            const commute_set *set, kith_error *error)
{
    return smc_send(c->p, to, type, set->point, set->count * sizeof *set->point, error);
}

static kith_status take_set(commute *c, uint32_t from, const message_type *type, commute_set *set,
                            kith_error *error)
{
    return smc_recv(c->p, from, type, set->point, set->count * sizeof *set->point, error);
}

/* m steps: in step s a party encrypts the set of the party s places before it. */
static kith_status around(commute *c, commute_set *set, const uint64_t *sizes,
                          const commute_set *mine, kith_error *error)
{
    const uint32_t m = party_count(c->p), self = party_self(c->p);
    const uint32_t next = (self + 1) % m, before = (self + m - 1) % m;
    TRY(make_set(c, set, mine->count, error));
    memcpy(set->point, mine->point, mine->count * sizeof *set->point);
    TRY(apply(c, set, &c->secret[0], self, error));
    for (uint32_t step = 1; step < m; step++) {
        TRY(move_set(c, next, &ring_type, set, error));
        TRY(make_set(c, set, sizes[(self + m - step) % m], error));
        TRY(take_set(c, before, &ring_type, set, error));
        TRY(apply(c, set, &c->secret[0], before, error));
    }
    return KITH_OK;
}

kith_status commute_gather(commute *c, commute_set *sets, uint64_t *sizes, const commute_set *mine,
                           uint32_t merger, kith_error *error)
{
    const uint32_t m = party_count(c->p), self = party_self(c->p);
    commute_set set;
    TRY(exchange_sizes(c, sizes, mine->count, error));
    TRY(around(c, &set, sizes, mine, error));
    if (self != merger) {
        TRY(move_set(c, merger, &merge_type, &set, error));
        return party_flush(c->p, error);
    }
    for (uint32_t from = 0; from < m; from++) {
        const uint32_t owner = (from + 1) % m; /* whose set ended its way at `from` */
        if (from == self) {
            sets[owner] = set;
        } else {
            TRY(make_set(c, &sets[owner], sizes[owner], error));
            TRY(take_set(c, from, &merge_type, &sets[owner], error));
        }
        qsort(sets[owner].point, sets[owner].count, sizeof(point), commute_order);
    }
    return KITH_OK;
}

/* The merger begins, the others follow in the order of the ring; the last one tells all. */
kith_status commute_strip(commute *c, commute_set *out, const commute_set *chosen, uint32_t merger,
                          kith_error *error)
{
    const uint32_t m = party_count(c->p), self = party_self(c->p), last = (merger + m - 1) % m;
    uint64_t count = self == merger ? chosen->count : 0;
    if (self == merger)
        TRY(party_broadcast(c->p, &chosen_type, &count, sizeof count, error));
    else
        TRY(party_recv(c->p, merger, &chosen_type, &count, sizeof count, error));
    if (count > m * most_points)
        return party_accuse(c->p, merger, error, "announces a set of %llu keys",
                            (unsigned long long)count);
    TRY(make_set(c, out, count, error));
    if (self == merger)
        memcpy(out->point, chosen->point, count * sizeof *out->point);
    else
        TRY(take_set(c, (self + m - 1) % m, &strip_type, out, error));
    TRY(apply(c, out, &c->secret[1], (self + m - 1) % m, error));
    if (self != last) {
        TRY(move_set(c, (self + 1) % m, &strip_type, out, error));
        return take_set(c, last, &plain_type, out, error);
    }
    qsort(out->point, out->count, sizeof *out->point, commute_order);
    for (uint32_t to = 0; to < m; to++)
        if (to != self)
            TRY(move_set(c, to, &plain_type, out, error));
    return party_flush(c->p, error);
}
