/* At which of several parties does each person count?
 *
 * From:   the sets of persons of all parties under everyone's encryption, as in sets.h; the merging
 *         party (party 0) compares them and chooses, and its marks go back against the ring.
 * Model:  semi-honest; decisional Diffie-Hellman, hash to group as a random oracle. A coalition
 *         that includes the merging party learns no more than the merging party alone about the
 *         sets of honest parties, as long as one party is honest: it shuffles every set, also that
 *         of the merging party, which does not know either which of its own points is whom.
 * Output: "homes" (aggregate), n values: which own persons count here, and which at another party
 *         that has them, too. Each person counts at one of the parties that have it. Which one
 *         follows from its point under all keys, which no party can compute; so no party is told
 *         of a person that counts here whether others have it, nor with three parties or more who
 *         else has one that does not.
 * Leaks:  without a public capacity, "set.sizes" (aggregate), m values: how many persons each party
 *         has, at all parties. "set.overlaps" (aggregate), 2^m - m - 1 values: how many persons any
 *         of the parties have in common, at party 0. "homes.any" (aggregate), 1 value: whether
 *         anybody is at several parties, at all parties. "homes.elsewhere" (aggregate), m - 1
 *         values: of how many persons each other party learns that they count elsewhere, at all
 *         parties, because marks pass all of them.
 * Cost:   homes.commitment (blinded), exchanged, 32 bytes; set.size (aggregate), exchanged, unless
 *         there is a capacity; set.ring (blinded): m messages in each of m-1 rounds, of 32 bytes
 *         per person; set.merge (blinded): m-1 messages; homes.any (aggregate): m-1 messages of 1
 *         byte; set.mark (aggregate): m-1 messages, then m in each of m-1 rounds, of 1 bit per
 *         person; 2m + 2 rounds. m multiplications per person. */
#ifndef SMC_SETS_HOMES_H
#define SMC_SETS_HOMES_H

#include "smc/sets/commute.h"

enum { HOMES_SECRET = 32 };

typedef struct homes_task {
    const commute_key *keys; /* [n] the persons of this party; no two keys are alike */
    size_t n;
    /* Public, like max_keys: each party fills up to so many with invented persons. 0: sizes are
     * disclosed. */
    size_t capacity;
    uint64_t max_keys; /* no party may have more; 0: no bound */
    /* Known to this party alone, and the same whenever its persons are. In a run in which all
     * parties come with the secrets of an earlier one each person counts where it counted then:
     * choices that differ would add up to what the output hides. NULL: drawn for this run. */
    const unsigned char *secret;
    threads *pool; /* or NULL */
} homes_task;

/* here[i]: keys[i] counts here. *any: some key is at several parties. */
kith_status homes_choose(party *p, bool *here, bool *any, const homes_task *task,
                         kith_error *error) KITH_MUST_USE;

#endif
