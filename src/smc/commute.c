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

static const uint64_t max_points = UINT64_C(1) << 32;

struct commute {
    party *party;
    arena *scratch;
    scalar *secrets; /* [2] the key, and its inverse */
    prg *coins;
};

kith_status commute_new(commute **out, const smc_call *call, kith_error *error)
{
    commute *c = TRY_ALLOC(arena_zalloc(call->scratch, 1, sizeof *c), error);
    c->party = call->party;
    c->scratch = call->scratch;
    c->secrets = TRY_ALLOC(secret_memory_array(call->scratch, 2, sizeof *c->secrets), error);
    ristretto_random_scalar(&c->secrets[0]);
    ristretto_invert(&c->secrets[1], &c->secrets[0]);
    *out = c;
    return prg_new_private(&c->coins, call->scratch, error);
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
    return bsearch(p, set->points, set->count, sizeof *p, commute_order) != NULL;
}

#if KITH_DEBUG
void commute_sorted_check(const commute_set *set)
{
    for (size_t i = 1; i < set->count; i++)
        ASSERT(commute_order(&set->points[i - 1], &set->points[i]) <= 0);
}
#endif

kith_status commute_points(commute_set *out, const commute_key *keys, size_t n, arena *memory,
                           kith_error *error)
{
    out->points = TRY_ALLOC(secret_memory_array(memory, n, sizeof *out->points), error);
    for (size_t i = 0; i < n; i++)
        commute_point(&out->points[i], keys[i]);
    qsort(out->points, n, sizeof *out->points, commute_order);
    out->count = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || commute_order(&out->points[out->count - 1], &out->points[i]) != 0)
            out->points[out->count++] = out->points[i];
    return KITH_OK;
}

/* Multiplies all points by one of this party's scalars, and shuffles them, so that nobody can
 * follow a point from one party to the next. `from` sent them and is accused if one is invalid. */
static kith_status apply(commute *c, commute_set *set, const scalar *s, uint32_t from,
                         kith_error *error)
{
    for (size_t i = 0; i < set->count; i++) {
        point checked;
        TRY(party_poll(c->party, error));
        if (!ristretto_parse(&checked, set->points[i].bytes) ||
            !ristretto_multiply(&set->points[i], s, &checked))
            return party_protocol_error(c->party, from, error, "sent an invalid group element");
    }
    return prg_shuffle(c->coins, set->points, set->count, sizeof *set->points, error);
}

static kith_status make_set(commute *c, commute_set *set, uint64_t count, kith_error *error)
{
    set->count = count;
    set->points = TRY_ALLOC(arena_array(c->scratch, count, sizeof *set->points), error);
    return KITH_OK;
}

static kith_status exchange_sizes(commute *c, uint64_t *sizes, uint64_t mine, kith_error *error)
{
    void *places[PARTY_MAX];
    for (uint32_t i = 0; i < party_count(c->party); i++)
        places[i] = &sizes[i];
    sizes[party_self(c->party)] = mine;
    TRY(party_exchange(c->party, &size_type, &mine, places, sizeof mine, error));
    for (uint32_t i = 0; i < party_count(c->party); i++)
        if (sizes[i] > max_points)
            return party_protocol_error(c->party, i, error, "announces a set of %llu keys",
                                        (unsigned long long)sizes[i]);
    return KITH_OK;
}

static kith_status send_set(commute *c, uint32_t to, const message_type *type,
                            const commute_set *set, kith_error *error)
{
    return smc_send(c->party, to, type, set->points, set->count * sizeof *set->points, error);
}

static kith_status recv_set(commute *c, uint32_t from, const message_type *type, commute_set *set,
                            kith_error *error)
{
    return smc_recv(c->party, from, type, set->points, set->count * sizeof *set->points, error);
}

/* m steps: in step s a party encrypts the set of the party s places before it. */
static kith_status circulate(commute *c, commute_set *set, const uint64_t *sizes,
                             const commute_set *mine, kith_error *error)
{
    const uint32_t m = party_count(c->party), self = party_self(c->party);
    const uint32_t next = (self + 1) % m, before = (self + m - 1) % m;
    TRY(make_set(c, set, mine->count, error));
    memcpy(set->points, mine->points, mine->count * sizeof *set->points);
    TRY(apply(c, set, &c->secrets[0], self, error));
    for (uint32_t step = 1; step < m; step++) {
        TRY(send_set(c, next, &ring_type, set, error));
        TRY(make_set(c, set, sizes[(self + m - step) % m], error));
        TRY(recv_set(c, before, &ring_type, set, error));
        TRY(apply(c, set, &c->secrets[0], before, error));
    }
    return KITH_OK;
}

kith_status commute_gather(commute *c, commute_set *sets, uint64_t *sizes, const commute_set *mine,
                           uint32_t merger, kith_error *error)
{
    const uint32_t m = party_count(c->party), self = party_self(c->party);
    commute_set set = {0};
    TRY(exchange_sizes(c, sizes, mine->count, error));
    TRY(circulate(c, &set, sizes, mine, error));
    if (self != merger) {
        TRY(send_set(c, merger, &merge_type, &set, error));
        return party_flush(c->party, error);
    }
    for (uint32_t from = 0; from < m; from++) {
        const uint32_t owner = (from + 1) % m; /* whose set `from` was the last to encrypt */
        if (from == self) {
            sets[owner] = set;
        } else {
            TRY(make_set(c, &sets[owner], sizes[owner], error));
            TRY(recv_set(c, from, &merge_type, &sets[owner], error));
        }
        qsort(sets[owner].points, sets[owner].count, sizeof(point), commute_order);
    }
    return KITH_OK;
}

/* The merger begins, the others follow in the order of the ring; the last one tells all. */
kith_status commute_strip(commute *c, commute_set *out, const commute_set *chosen, uint32_t merger,
                          kith_error *error)
{
    const uint32_t m = party_count(c->party), self = party_self(c->party),
                   last = (merger + m - 1) % m;
    uint64_t count = self == merger ? chosen->count : 0;
    if (self == merger)
        TRY(party_broadcast(c->party, &chosen_type, &count, sizeof count, error));
    else
        TRY(party_recv(c->party, merger, &chosen_type, &count, sizeof count, error));
    if (count > m * max_points)
        return party_protocol_error(c->party, merger, error, "announces a set of %llu keys",
                                    (unsigned long long)count);
    TRY(make_set(c, out, count, error));
    if (self == merger)
        memcpy(out->points, chosen->points, count * sizeof *out->points);
    else
        TRY(recv_set(c, (self + m - 1) % m, &strip_type, out, error));
    TRY(apply(c, out, &c->secrets[1], (self + m - 1) % m, error));
    if (self != last) {
        TRY(send_set(c, (self + 1) % m, &strip_type, out, error));
        return recv_set(c, last, &plain_type, out, error);
    }
    qsort(out->points, out->count, sizeof *out->points, commute_order);
    for (uint32_t to = 0; to < m; to++)
        if (to != self)
            TRY(send_set(c, to, &plain_type, out, error));
    return party_flush(c->party, error);
}
