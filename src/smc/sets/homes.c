#include "smc/sets/homes.h"

#include <string.h>

#include <sodium.h>

#include "core/error.h"
#include "core/sort.h"
#include "crypto/digest.h"
#include "crypto/secret_memory.h"

enum { MERGER = 0 };

static const message_type commitment_type = {"homes.commitment", DISCLOSE_BLINDED};
static const message_type any_type = {"homes.any", DISCLOSE_AGGREGATE};

/* One call. */
typedef struct homes {
    const smc_call *call;
    const homes_task *task;
    commute *c;
    commute_set mine;            /* plain points, filled up */
    commute_set sets[PARTY_MAX]; /* at the merger, as they come */
    uint64_t sizes[PARTY_MAX];
    commute_orders orders;
    uint64_t *bits[PARTY_MAX]; /* by set: who counts elsewhere; at others only their own */
} homes;

/* A point under all keys, and where it was found. */
typedef struct found {
    point point;
    uint32_t party, place;
} found;

/* The salt has a part of everybody, so that points and scalars are other ones as soon as the data
 * of any party are. */
static kith_status make_repeatable(homes *h, kith_error *error)
{
    party *p = h->call->party;
    const uint32_t m = party_count(p), self = party_self(p);
    unsigned char commitment[PARTY_MAX][HOMES_SECRET], salt[HOMES_SECRET];
    unsigned char *secret =
        TRY_ALLOC(secret_memory_array(h->call->scratch, 1, HOMES_SECRET), error);
    void *places[PARTY_MAX];
    if (h->task->secret == NULL)
        randombytes_buf(secret, HOMES_SECRET);
    else
        memcpy(secret, h->task->secret, HOMES_SECRET);
    digest d;
    digest_init(&d, "kith homes commitment", HOMES_SECRET);
    digest_part(&d, secret, HOMES_SECRET);
    digest_final(&d, commitment[self]);
    for (uint32_t i = 0; i < m; i++)
        places[i] = commitment[i];
    TRY(party_exchange(p, &commitment_type, commitment[self], places, HOMES_SECRET, error));
    digest_init(&d, "kith homes salt", HOMES_SECRET);
    digest_part(&d, commitment, m * sizeof *commitment);
    digest_final(&d, salt);
    commute_repeat(h->c, secret, salt);
    return KITH_OK;
}

/* This party's points. Invented persons come back in a run that repeats this one, as real ones do:
 * nobody can tell them apart. */
static kith_status list_points(homes *h, kith_error *error)
{
    const homes_task *t = h->task;
    const size_t count = t->capacity > 0 ? t->capacity : t->n;
    arena *memory = h->call->scratch;
    commute_key *keys = TRY_ALLOC(arena_array(memory, count, sizeof *keys), error);
    unsigned char(*invented)[DIGEST_BYTES] =
        TRY_ALLOC(secret_memory_array(memory, count - t->n, sizeof *invented), error);
    for (size_t i = 0; i < count; i++) {
        keys[i] = i < t->n ? t->keys[i] : (commute_key){invented[i - t->n], DIGEST_BYTES};
        if (i >= t->n)
            commute_invent(h->c, invented[i - t->n], i - t->n);
    }
    return commute_list(h->c, &h->mine, keys, count, error);
}

static kith_status learn_sizes(homes *h, kith_error *error)
{
    party *p = h->call->party;
    const uint32_t m = party_count(p);
    const uint64_t bound = h->task->max_keys;
    for (uint32_t i = 0; i < m; i++)
        h->sizes[i] = h->task->capacity;
    if (h->task->capacity > 0)
        return KITH_OK;
    TRY(commute_sizes(h->c, h->sizes, h->task->n,
                      bound > 0 && bound < UINT32_MAX ? bound : UINT32_MAX, error));
    party_learns(p, DISCLOSE_AGGREGATE, "set.sizes", m);
    return KITH_OK;
}

static int by_point(const void *a, const void *b, void *user)
{
    const found *x = a, *y = b;
    const int order = sort_32_bytes(&x->point, &y->point);
    (void)user;
    return order != 0 ? order : (x->party > y->party) - (x->party < y->party);
}

/* Which of the holders is the home: the point decides, evenly. */
static size_t home_of(const point *p, size_t n_holders)
{
    uint64_t number;
    digest d;
    unsigned char out[DIGEST_BYTES];
    digest_init(&d, "kith home", sizeof out);
    digest_part(&d, p, sizeof *p);
    digest_final(&d, out);
    memcpy(&number, out, sizeof number);
    return (size_t)(number % n_holders);
}

/* At the merger: marks all holders of each point but one. */
static kith_status choose(homes *h, bool *any, kith_error *error)
{
    party *p = h->call->party;
    size_t n = 0, at = 0;
    for (uint32_t i = 0; i < party_count(p); i++)
        n += h->sizes[i];
    found *all = TRY_ALLOC(arena_array(h->call->scratch, n, sizeof *all), error);
    for (uint32_t i = 0; i < party_count(p); i++) {
        h->bits[i] = TRY_ALLOC(
            arena_zalloc(h->call->scratch, smc_words(h->sizes[i]), sizeof *h->bits[i]), error);
        for (uint32_t place = 0; place < h->sizes[i]; place++)
            all[at++] = (found){h->sets[i].points[place], i, place};
    }
    TRY(smc_sort(p, all, n, sizeof *all, by_point, NULL, error));
    *any = false;
    for (size_t first = 0, end; first < n; first = end) {
        TRY(party_poll(p, error));
        for (end = first + 1; end < n && sort_32_bytes(&all[first].point, &all[end].point) == 0;
             end++)
            /* The set passed all parties, and any of them may have changed it. */
            if (all[end].party == all[end - 1].party)
                return error_set(error, KITH_PEER, "a person is twice in the set of %s",
                                 party_name(p, all[end].party));
        const size_t home = first + home_of(&all[first].point, end - first);
        for (size_t i = first; i < end; i++)
            smc_set_bit(h->bits[all[i].party], all[i].place, i != home);
        *any = *any || end - first > 1;
    }
    party_learns(p, DISCLOSE_AGGREGATE, "set.overlaps",
                 party_count(p) > 63 ? UINT64_MAX
                                     : (UINT64_C(1) << party_count(p)) - party_count(p) - 1);
    return KITH_OK;
}

static kith_status tell_any(party *p, bool *any, kith_error *error)
{
    unsigned char byte = party_self(p) == MERGER && *any;
    if (party_self(p) == MERGER)
        TRY(party_broadcast(p, &any_type, &byte, sizeof byte, error));
    else
        TRY(party_recv(p, MERGER, &any_type, &byte, sizeof byte, error));
    if (byte > 1)
        return party_protocol_error(p, MERGER, error, "sent no yes or no");
    *any = byte == 1;
    party_learns(p, DISCLOSE_AGGREGATE, "homes.any", 1);
    return KITH_OK;
}

static kith_status find_homes(homes *h, bool *here, bool *any, kith_error *error)
{
    party *p = h->call->party;
    const uint32_t self = party_self(p);
    TRY(commute_new(&h->c, h->call, h->task->pool, error));
    TRY(make_repeatable(h, error));
    TRY(learn_sizes(h, error));
    TRY(list_points(h, error));
    TRY(commute_gather(h->c, h->sets, h->sizes, &h->mine, MERGER, &h->orders, error));
    if (self == MERGER)
        TRY(choose(h, any, error));
    else
        h->bits[self] = TRY_ALLOC(
            arena_zalloc(h->call->scratch, smc_words(h->sizes[self]), sizeof *h->bits[self]),
            error);
    TRY(tell_any(p, any, error));
    TRY(commute_return(h->c, h->bits, h->sizes, &h->orders, MERGER, error));
    party_learns(p, DISCLOSE_AGGREGATE, "homes.elsewhere", party_count(p) - 1);
    for (size_t i = 0; i < h->task->n; i++)
        here[i] = smc_bit(h->bits[self], i) == 0;
    return KITH_OK;
}

kith_status homes_choose(party *p, bool *here, bool *any, const homes_task *task, kith_error *error)
{
    smc_call call;
    if (task->n > UINT32_MAX || task->capacity > UINT32_MAX ||
        (task->capacity > 0 && task->n > task->capacity))
        return error_set(error, KITH_INVALID, "%zu persons are more than the capacity of %zu",
                         task->n, task->capacity);
    TRY(smc_call_open(&call, p, "homes", (smc_output){SMC_ALL, "homes"}, error));
    homes *h = arena_zalloc(call.scratch, 1, sizeof *h);
    kith_status status = h == NULL ? error_nomem(error) : KITH_OK;
    if (status == KITH_OK) {
        h->call = &call;
        h->task = task;
        status = find_homes(h, here, any, error);
    }
    return smc_call_close(&call, status, task->n);
}
