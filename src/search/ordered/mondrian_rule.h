/* The choices of Mondrian with regions that do not depend on how records are counted: the order in
 * which attributes are tried, the numbers of parts, and how equal records are distributed.
 *
 * The centralized search and the protocol both follow these rules and give the same classes. */
#ifndef SEARCH_ORDERED_MONDRIAN_RULE_H
#define SEARCH_ORDERED_MONDRIAN_RULE_H

#include "core/rng.h"
#include "search/regions.h"

/* Relaxed: the records of the median cell are distributed in steps of 1 / MONDRIAN_SHARES. */
enum { MONDRIAN_SHARES = 8 };

/* Number of the part with all records; children's numbers follow from it, so that they do not
 * depend on the order in which parts are split. */
#define MONDRIAN_ROOT UINT64_C(1)
uint64_t mondrian_rule_child(uint64_t parent, uint32_t index);

/* Where a party's private choices come from: a key (protocol/private_choices.h), or NULL and a
 * seed, in one place and in tests. */
typedef struct mondrian_choices {
    const unsigned char *key; /* RNG_KEY_BYTES */
    uint64_t seed;
} mondrian_choices;

/* The choices of a party under the seed of a whole run. */
mondrian_choices mondrian_rule_seeded(uint64_t seed, uint32_t party);

/* The attributes in which a part can be cut, widest first; equally wide ones by their turns,
 * then in their order. Returns how many there are. */
uint32_t mondrian_rule_order(uint32_t *order, double *widths, const regions *space,
                             const region *part);

/* Relaxed: which of a party's own records in the median cell of a part go left. Both are private,
 * and fixed by the party's seed and the part. */
typedef struct mondrian_distribution {
    rng choices;
    double offset; /* in [0, 1) */
} mondrian_distribution;

/* The caller wipes the generator (rng_wipe). */
void mondrian_rule_distribution(mondrian_distribution *d, const mondrian_choices *choices,
                                uint64_t part);
/* How many of `equal` records go left if `share` / MONDRIAN_SHARES of them are to; grows with it.
 */
uint32_t mondrian_rule_quota(const mondrian_distribution *d, uint32_t equal, uint32_t share);

/* The two halves of an ordered part that is cut behind cell `cut`. With `shared` that cell belongs
 * to both of them. */
void mondrian_rule_halves(region halves[2], region whole, uint32_t cut, bool shared);

#endif
