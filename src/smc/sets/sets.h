/* Intersection of private sets of keys.
 *
 * From:   commutative encryption as in Agrawal, Evfimievski, Srikant (2003), for m parties in a
 *         ring and on ristretto255: see commute.h.
 * Model:  semi-honest; decisional Diffie-Hellman, hash to group as a random oracle. A coalition
 *         that includes the merging party (party 0) learns no more than the merging party alone
 *         about the sets of honest parties, as long as one party is honest.
 * Output: "intersection" (aggregate), which of one's own keys all parties have, at all parties.
 * Leaks:  "set.sizes" (aggregate), m values: the size of everyone's set, at all parties;
 *         "set.overlaps" (aggregate): how many keys any of the parties have in common, at party 0.
 * Cost:   set.size (aggregate), exchanged; set.ring (blinded): m messages in each of m-1 rounds, of
 *         32 bytes per key; set.merge (blinded): m-1 messages; set.chosen (aggregate), m-1
 *         messages of 8 bytes; set.strip (blinded), m-1 messages one after the other; set.plain
 *         (aggregate), m-1 messages. m multiplications per key, m more per key of the output. */
#ifndef SMC_SETS_SETS_H
#define SMC_SETS_SETS_H

#include "smc/sets/commute.h"

/* common[i]: whether all parties have keys[i]. Equal keys of one party count once. No party may
 * have more than max_keys (0: no bound), which is public: a party that could bring all possible
 * keys would learn those of all others. `pool` may be NULL. */
kith_status sets_intersection(party *p, bool *common, const commute_key *keys, size_t n,
                              uint64_t max_keys, threads *pool, kith_error *error) KITH_MUST_USE;

#endif
