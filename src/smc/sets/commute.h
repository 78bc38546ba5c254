/* Sets of private keys under everyone's encryption at once.
 *
 * A key becomes a point of ristretto255 (hash to group, of run id and key); encryption by a party
 * multiplies it by a secret scalar that lives for one call. Scalars commute: after all parties have
 * encrypted, equal keys are equal points, in whatever order the parties encrypted them, and without
 * all scalars a point says nothing about its key (decisional Diffie-Hellman). */
#ifndef SMC_SETS_COMMUTE_H
#define SMC_SETS_COMMUTE_H

#include "core/run/threads.h"
#include "crypto/ristretto.h"
#include "smc/smc.h"

/* A private key to be matched: any bytes. */
typedef struct commute_key {
    const void *bytes;
    size_t length;
} commute_key;

typedef struct commute_set {
    point *points;
    size_t count;
} commute_set;

/* How a party shuffled each set that it encrypted, so that marks find the way back. */
typedef struct commute_orders {
    uint32_t
        *of[PARTY_MAX]; /* step s of the ring: point i was point of[s][i] before; NULL: empty */
} commute_orders;

typedef struct commute commute;

/* Draws the scalar of a call, which is wiped when the call is closed. Points are multiplied by the
 * threads of a pool, which may be NULL. */
kith_status commute_new(commute **out, const smc_call *call, threads *pool,
                        kith_error *error) KITH_MUST_USE;

/* From now on scalar and points follow from the secret and the salt alone, of 32 bytes each, so
 * that they come back in another run. Only where nothing else can differ in that run either. */
void commute_repeat(commute *c, const unsigned char *secret, const unsigned char *salt);

/* A key of 32 bytes that no party has, one for each number; commute_repeat repeats it. */
void commute_invent(const commute *c, unsigned char *key, uint64_t number);

/* The point of a key in this run, before any encryption: what commute_strip ends with. Hashes the
 * run id too, so that nobody can make a table of points that would serve for several runs. */
kith_status commute_point(commute *c, point *out, commute_key key, kith_error *error) KITH_MUST_USE;
/* Points of all keys, sorted, each once. */
kith_status commute_points(commute *c, commute_set *out, const commute_key *keys, size_t n,
                           kith_error *error) KITH_MUST_USE;

/* Points of all keys, in their order, by the threads of the pool. No two keys are alike. */
kith_status commute_list(commute *c, commute_set *out, const commute_key *keys, size_t n,
                         kith_error *error) KITH_MUST_USE;

/* All parties learn the sizes of all sets; none may have more than max_keys (0: 2^32). */
kith_status commute_sizes(commute *c, uint64_t *sizes, uint64_t mine, uint64_t max_keys,
                          kith_error *error) KITH_MUST_USE;

/* Everyone's set, `mine` being this party's points, goes once around the ring, encrypted and
 * shuffled by each party; `merger` gets all of them in sets[0 … m-1], sorted, or, with `orders`, as
 * they come: orders are for less than 2^32 points. */
kith_status commute_gather(commute *c, commute_set *sets, const uint64_t *sizes,
                           const commute_set *mine, uint32_t merger, commute_orders *orders,
                           kith_error *error) KITH_MUST_USE;

/* One bit for each point goes back to the owner of the set, against the ring, through the shuffles:
 * bits[0 … m-1] at the merger belong to sets[] as they came; at all parties, bits[self] is room for
 * those of `mine`. Parties on the way see how many bits of a set are one. */
kith_status commute_return(commute *c, uint64_t *const *bits, const uint64_t *sizes,
                           const commute_orders *orders, uint32_t merger,
                           kith_error *error) KITH_MUST_USE;

/* Each party in turn removes its encryption from the points that `merger` chose, at most `most`,
 * and shuffles them; all parties get the result, sorted. All of them must be in this party's own
 * set of plain points, `mine`, as points are that all parties have; else a peer is blamed. */
kith_status commute_strip(commute *c, commute_set *out, const commute_set *chosen, uint64_t most,
                          const commute_set *mine, uint32_t merger,
                          kith_error *error) KITH_MUST_USE;

/* Whether a sorted set holds a point. */
bool commute_holds(const commute_set *set, const point *p);
#if KITH_DEBUG
void commute_sorted_check(const commute_set *set);
#endif

#endif
