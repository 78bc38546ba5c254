#include "smc/sets/commute.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/sort.h"
#include "crypto/digest.h"
#include "crypto/secret_memory.h"

static const message_type size_type = {"set.size", DISCLOSE_AGGREGATE};
static const message_type ring_type = {"set.ring", DISCLOSE_BLINDED};
static const message_type merge_type = {"set.merge", DISCLOSE_BLINDED};
static const message_type mark_type = {"set.mark", DISCLOSE_AGGREGATE};
static const message_type chosen_type = {"set.chosen", DISCLOSE_AGGREGATE};
static const message_type strip_type = {"set.strip", DISCLOSE_BLINDED};
static const message_type plain_type = {"set.plain", DISCLOSE_AGGREGATE};

static const uint64_t max_points = UINT64_C(1) << 32;

static const char domain[] = "kith commutative key";

enum { RUN = 32 };

struct commute {
    party *party;
    threads *pool; /* or NULL */
    arena *scratch;
    scalar *secrets; /* [2] the key, and its inverse */
    prg *coins;
    unsigned char salt[RUN]; /* hashed before each key */
    unsigned char *hashed;   /* [room] what a point is the hash of */
    size_t room;
};

kith_status commute_new(commute **out, const smc_call *call, threads *pool, kith_error *error)
{
    commute *c = TRY_ALLOC(arena_zalloc(call->scratch, 1, sizeof *c), error);
    c->party = call->party;
    c->pool = pool;
    c->scratch = call->scratch;
    c->secrets = TRY_ALLOC(secret_memory_array(call->scratch, 2, sizeof *c->secrets), error);
    ristretto_random_scalar(&c->secrets[0]);
    ristretto_invert(&c->secrets[1], &c->secrets[0]);
    memcpy(c->salt, party_run_id(call->party), sizeof c->salt);
    *out = c;
    return prg_new_private(&c->coins, call->scratch, error);
}

void commute_repeat(commute *c, const unsigned char *secret, const unsigned char *salt)
{
    unsigned char both[2 * RUN];
    memcpy(c->salt, salt, RUN);
    memcpy(both, secret, RUN);
    memcpy(both + RUN, salt, RUN);
    ristretto_hash_scalar(&c->secrets[0], "kith commutative scalar", both, sizeof both);
    ristretto_invert(&c->secrets[1], &c->secrets[0]);
    secret_memory_wipe(both, sizeof both);
}

void commute_invent(const commute *c, unsigned char *key, uint64_t number)
{
    digest d;
    digest_init(&d, "kith commutative invention", DIGEST_BYTES);
    digest_part(&d, &c->secrets[0], sizeof c->secrets[0]);
    digest_part(&d, &number, sizeof number);
    digest_final(&d, key);
}

/* The salt comes first, with a fixed length: two keys are never the same bytes. */
kith_status commute_point(commute *c, point *out, commute_key key, kith_error *error)
{
    if (key.length > SIZE_MAX - RUN)
        return error_nomem(error);
    if (c->room < RUN + key.length) {
        c->hashed = TRY_ALLOC(secret_memory_array(c->scratch, 1, RUN + key.length), error);
        c->room = RUN + key.length;
    }
    memcpy(c->hashed, c->salt, RUN);
    if (key.length > 0)
        memcpy(c->hashed + RUN, key.bytes, key.length);
    ristretto_hash(out, domain, c->hashed, RUN + key.length);
    return KITH_OK;
}

static int by_bytes(const void *a, const void *b, void *user)
{
    (void)user;
    return sort_32_bytes(a, b);
}

static kith_status sort_points(commute *c, commute_set *set, kith_error *error)
{
    return smc_sort(c->party, set->points, set->count, sizeof *set->points, by_bytes, NULL, error);
}

bool commute_holds(const commute_set *set, const point *p)
{
    return bsearch(p, set->points, set->count, sizeof *p, sort_32_bytes) != NULL;
}

#if KITH_DEBUG
void commute_sorted_check(const commute_set *set)
{
    for (size_t i = 1; i < set->count; i++)
        ASSERT(sort_32_bytes(&set->points[i - 1], &set->points[i]) <= 0);
}
#endif

/* What commute_list hashes. */
typedef struct hashing {
    point *points;
    const unsigned char *bytes; /* a salt and a key, one after the other */
    const size_t *ends;         /* [points + 1] the end of the key before, and of each key */
} hashing;

static void hash_one(void *user, size_t index, unsigned worker)
{
    const hashing *h = user;
    const size_t from = h->ends[index], to = h->ends[index + 1];
    (void)worker;
    ristretto_hash(&h->points[index], domain, h->bytes + from, to - from);
}

kith_status commute_list(commute *c, commute_set *out, const commute_key *keys, size_t n,
                         kith_error *error)
{
    enum { BETWEEN = 8 }; /* two looks at the network */
    size_t length = 0;
    for (size_t i = 0; i < n; i++)
        length += RUN + keys[i].length;
    unsigned char *bytes = TRY_ALLOC(secret_memory_array(c->scratch, length, 1), error);
    size_t *ends = TRY_ALLOC(arena_zalloc(c->scratch, n + 1, sizeof *ends), error);
    out->points = TRY_ALLOC(secret_memory_array(c->scratch, n, sizeof *out->points), error);
    out->count = n;
    for (size_t i = 0; i < n; i++) {
        memcpy(bytes + ends[i], c->salt, RUN);
        if (keys[i].length > 0)
            memcpy(bytes + ends[i] + RUN, keys[i].bytes, keys[i].length);
        ends[i + 1] = ends[i] + RUN + keys[i].length;
    }
    for (size_t i = 0; i < n; i += BETWEEN) {
        hashing h = {out->points + i, bytes, ends + i};
        TRY(party_poll(c->party, error));
        threads_run(c->pool, smc_at_most(n - i, BETWEEN), hash_one, &h);
    }
    return KITH_OK;
}

kith_status commute_points(commute *c, commute_set *out, const commute_key *keys, size_t n,
                           kith_error *error)
{
    TRY(commute_list(c, out, keys, n, error));
    TRY(sort_points(c, out, error));
    out->count = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || sort_32_bytes(&out->points[out->count - 1], &out->points[i]) != 0)
            out->points[out->count++] = out->points[i];
    return KITH_OK;
}

/* Points that are multiplied between two looks at the network, and by one task. */
enum { BLOCK = 1024, TASK = 32 };

typedef struct multiplication {
    point *points;
    size_t count;
    const scalar *by;
    bool invalid[BLOCK / TASK]; /* by task */
} multiplication;

static void multiply_some(void *user, size_t index, unsigned worker)
{
    multiplication *m = user;
    const size_t first = index * TASK, end = first + TASK < m->count ? first + TASK : m->count;
    (void)worker;
    for (size_t i = first; i < end && !m->invalid[index]; i++) {
        point checked;
        m->invalid[index] = !ristretto_parse(&checked, m->points[i].bytes) ||
                            !ristretto_multiply(&m->points[i], m->by, &checked);
    }
}

/* Shuffles points and keeps the order. */
static kith_status shuffle_in_order(commute *c, commute_set *set, uint32_t **order,
                                    kith_error *error)
{
    point *shuffled = TRY_ALLOC(arena_array(c->scratch, set->count, sizeof *shuffled), error);
    *order = TRY_ALLOC(secret_memory_array(c->scratch, set->count, sizeof **order), error);
    for (uint32_t i = 0; i < set->count; i++)
        (*order)[i] = i;
    TRY(prg_shuffle(c->coins, *order, set->count, sizeof **order, error));
    for (uint32_t i = 0; i < set->count; i++)
        shuffled[i] = set->points[(*order)[i]];
    set->points = shuffled;
    return KITH_OK;
}

/* Multiplies all points by one of this party's scalars, and shuffles them, so that nobody can
 * follow a point from one party to the next. `from` sent them and is accused if one is invalid. */
static kith_status commute_apply(commute *c, commute_set *set, const scalar *s, uint32_t from,
                                 uint32_t **order, kith_error *error)
{
    for (size_t i = 0; i < set->count; i += BLOCK) {
        const size_t left = set->count - i, count = left < BLOCK ? left : BLOCK;
        multiplication m = {.points = set->points + i, .count = count, .by = s};
        TRY(party_poll(c->party, error));
        threads_run(c->pool, (count + TASK - 1) / TASK, multiply_some, &m);
        for (size_t task = 0; task < BLOCK / TASK; task++)
            if (m.invalid[task])
                return party_protocol_error(c->party, from, error, "sent an invalid group element");
    }
    if (order != NULL)
        return shuffle_in_order(c, set, order, error);
    return prg_shuffle(c->coins, set->points, set->count, sizeof *set->points, error);
}

/* A copy, to be encrypted in place. */
static kith_status copy_set(commute *c, commute_set *to, const commute_set *from, kith_error *error)
{
    to->count = from->count;
    to->points = TRY_ALLOC(arena_array(c->scratch, from->count, sizeof *to->points), error);
    if (from->count > 0)
        memcpy(to->points, from->points, from->count * sizeof *to->points);
    return KITH_OK;
}

kith_status commute_sizes(commute *c, uint64_t *sizes, uint64_t mine, uint64_t max_keys,
                          kith_error *error)
{
    const uint64_t most = max_keys > 0 && max_keys < max_points ? max_keys : max_points;
    void *places[PARTY_MAX];
    for (uint32_t i = 0; i < party_count(c->party); i++)
        places[i] = &sizes[i];
    sizes[party_self(c->party)] = mine;
    TRY(party_exchange(c->party, &size_type, &mine, places, sizeof mine, error));
    for (uint32_t i = 0; i < party_count(c->party); i++)
        if (sizes[i] > most)
            return party_protocol_error(c->party, i, error,
                                        "announces a set of %llu keys; it may have %llu",
                                        (unsigned long long)sizes[i], (unsigned long long)most);
    return KITH_OK;
}

static kith_status send_set(commute *c, uint32_t to, const message_type *type,
                            const commute_set *set, kith_error *error)
{
    return smc_send(c->party, to, type, set->points, set->count * sizeof *set->points, error);
}

/* A set whose size was announced, which takes memory only as it arrives. */
static kith_status recv_set(commute *c, uint32_t from, const message_type *type, commute_set *set,
                            uint64_t count, kith_error *error)
{
    unsigned char *bytes = NULL;
    TRY(smc_recv_append(c->party, from, type, c->scratch, &bytes, 0, count * sizeof *set->points,
                        error));
    set->points = (point *)bytes; /* arrays of bytes, of any alignment */
    set->count = count;
    return KITH_OK;
}

/* m steps: in step s a party encrypts the set of the party s places before it. The list of exceptions
 * from constant time names this function. */
static kith_status circulate(commute *c, commute_set *set, const uint64_t *sizes,
                             const commute_set *mine, commute_orders *orders, kith_error *error)
{
    const uint32_t m = party_count(c->party), self = party_self(c->party);
    const uint32_t next = (self + 1) % m, before = (self + m - 1) % m;
    TRY(copy_set(c, set, mine, error));
    TRY(commute_apply(c, set, &c->secrets[0], self, orders == NULL ? NULL : &orders->of[0], error));
    for (uint32_t step = 1; step < m; step++) {
        TRY(send_set(c, next, &ring_type, set, error));
        TRY(recv_set(c, before, &ring_type, set, sizes[(self + m - step) % m], error));
        TRY(commute_apply(c, set, &c->secrets[0], before, orders == NULL ? NULL : &orders->of[step],
                          error));
    }
    return KITH_OK;
}

kith_status commute_gather(commute *c, commute_set *sets, const uint64_t *sizes,
                           const commute_set *mine, uint32_t merger, commute_orders *orders,
                           kith_error *error)
{
    const uint32_t m = party_count(c->party), self = party_self(c->party);
    commute_set set = {0};
    TRY(circulate(c, &set, sizes, mine, orders, error));
    if (self != merger) {
        TRY(send_set(c, merger, &merge_type, &set, error));
        return party_flush(c->party, error);
    }
    for (uint32_t from = 0; from < m; from++) {
        const uint32_t owner = (from + 1) % m; /* whose set `from` was the last to encrypt */
        if (from == self) {
            sets[owner] = set;
        } else {
            TRY(recv_set(c, from, &merge_type, &sets[owner], sizes[owner], error));
        }
        if (orders == NULL)
            TRY(sort_points(c, &sets[owner], error));
    }
    return KITH_OK;
}

static kith_status recv_marks(commute *c, uint32_t from, uint64_t *bits, uint64_t count,
                              kith_error *error)
{
    TRY(smc_recv(c->party, from, &mark_type, bits, smc_words(count) * sizeof *bits, error));
    if (count % 64 != 0 && bits[count / 64] >> count % 64 != 0)
        return party_protocol_error(c->party, from, error, "sent marks behind the last one");
    return KITH_OK;
}

/* m steps back: in step s a party undoes its shuffle of the set of the party s places before it. */
kith_status commute_return(commute *c, uint64_t *const *bits, const uint64_t *sizes,
                           const commute_orders *orders, uint32_t merger, kith_error *error)
{
    const uint32_t m = party_count(c->party), self = party_self(c->party);
    const uint32_t next = (self + 1) % m, before = (self + m - 1) % m;
    uint64_t most = 0;
    for (uint32_t i = 0; i < m; i++)
        most = sizes[i] > most ? sizes[i] : most;
    uint64_t *shuffled =
        TRY_ALLOC(arena_array(c->scratch, smc_words(most), sizeof *shuffled), error);
    uint64_t *plain = TRY_ALLOC(arena_array(c->scratch, smc_words(most), sizeof *plain), error);
    for (uint32_t to = 0; to < m && self == merger; to++)
        if (to != self)
            TRY(smc_send(c->party, to, &mark_type, bits[(to + 1) % m],
                         smc_words(sizes[(to + 1) % m]) * sizeof *shuffled, error));
    if (self == merger)
        memcpy(shuffled, bits[next], smc_words(sizes[next]) * sizeof *shuffled);
    else
        TRY(recv_marks(c, merger, shuffled, sizes[next], error));
    for (uint32_t step = m - 1;; step--) {
        const uint64_t count = sizes[(self + m - step) % m];
        memset(plain, 0, smc_words(count) * sizeof *plain);
        for (uint64_t i = 0; i < count; i++)
            smc_set_bit(plain, orders->of[step][i], smc_bit(shuffled, i));
        if (step == 0)
            break;
        TRY(smc_send(c->party, before, &mark_type, plain, smc_words(count) * sizeof *plain, error));
        TRY(recv_marks(c, next, shuffled, sizes[(self + m - step + 1) % m], error));
    }
    memcpy(bits[self], plain, smc_words(sizes[self]) * sizeof *plain);
    return party_flush(c->party, error);
}

/* Plain points are those that all parties have: this party knows each of them. */
static kith_status check_plain(commute *c, const commute_set *plain, const commute_set *mine,
                               uint32_t from, kith_error *error)
{
    for (size_t i = 0; i < plain->count; i++) {
        if (!commute_holds(mine, &plain->points[i]) ||
            (i > 0 && sort_32_bytes(&plain->points[i - 1], &plain->points[i]) >= 0))
            return party_protocol_error(c->party, from, error,
                                        "sent a common key that is not one of this party");
        TRY(party_poll(c->party, error));
    }
    return KITH_OK;
}

/* The merger begins, the others follow in the order of the ring; the last one tells all. */
kith_status commute_strip(commute *c, commute_set *out, const commute_set *chosen, uint64_t most,
                          const commute_set *mine, uint32_t merger, kith_error *error)
{
    const uint32_t m = party_count(c->party), self = party_self(c->party),
                   last = (merger + m - 1) % m, before = (self + m - 1) % m;
    uint64_t count = self == merger ? chosen->count : 0;
    if (self == merger)
        TRY(party_broadcast(c->party, &chosen_type, &count, sizeof count, error));
    else
        TRY(party_recv(c->party, merger, &chosen_type, &count, sizeof count, error));
    if (count > most)
        return party_protocol_error(c->party, merger, error,
                                    "announces %llu common keys where there are %llu at most",
                                    (unsigned long long)count, (unsigned long long)most);
    if (self == merger)
        TRY(copy_set(c, out, chosen, error));
    else
        TRY(recv_set(c, before, &strip_type, out, count, error));
    TRY(commute_apply(c, out, &c->secrets[1], before, NULL, error));
    if (self != last) {
        TRY(send_set(c, (self + 1) % m, &strip_type, out, error));
        TRY(recv_set(c, last, &plain_type, out, count, error));
        return check_plain(c, out, mine, last, error);
    }
    TRY(sort_points(c, out, error));
    TRY(check_plain(c, out, mine, before, error));
    for (uint32_t to = 0; to < m; to++)
        if (to != self)
            TRY(send_set(c, to, &plain_type, out, error));
    return party_flush(c->party, error);
}
