/* Sets of private keys under everyone's encryption at once.
 *
 * A key becomes a point of ristretto255 (hash to group); encryption by a party multiplies it by a
 * secret scalar that lives for one call. Scalars commute: after all parties have encrypted, equal
 * keys are equal points, whoever held them and in whatever order the parties came, and without all
 * scalars a point says nothing about its key (decisional Diffie-Hellman). */
#ifndef SMC_COMMUTE_H
#define SMC_COMMUTE_H

#include "crypto/ristretto.h"
#include "smc/smc.h"

/* A private key to be matched: any bytes. */
typedef struct commute_key {
    const void *bytes;
    size_t length;
} commute_key;

typedef struct commute_set {
    point *point;
    size_t count;
} commute_set;

typedef struct commute commute;

/* Draws the scalar of a call; gone, wiped, with `scratch`. */
kith_status commute_new(commute **out, party *p, arena *scratch, kith_error *error) KITH_MUST_USE;

/* The point of a key, before any encryption: what commute_strip ends with. */
void commute_point(point *out, commute_key key);
/* Points of all keys, sorted, each once. */
kith_status commute_points(commute_set *out, const commute_key *key, size_t n, arena *memory,
                           kith_error *error) KITH_MUST_USE;

/* Everyone's set, `mine` being this party's points, goes once around the ring, encrypted and
 * shuffled by each party; `merger` gets all of them in sets[0 … m-1], sorted. The sizes of all sets
 * become known to all parties, in `sizes`. */
kith_status commute_gather(commute *c, commute_set *sets, uint64_t *sizes, const commute_set *mine,
                           uint32_t merger, kith_error *error) KITH_MUST_USE;

/* Points that `merger` chose, under all encryptions, lose them one after the other, shuffled at
 * each step; all parties get the result, sorted. */
kith_status commute_strip(commute *c, commute_set *out, const commute_set *chosen, uint32_t merger,
                          kith_error *error) KITH_MUST_USE;

/* Sorted points: order, and whether a set holds one. */
int commute_order(const void *a, const void *b);
bool commute_holds(const commute_set *set, const point *p);

#endif
