/* The rules of the joint tree (joint_tree.h) that do not depend on which party holds which records:
 * scores of slots, names of sets, coins, areas of reweaving, parts of the leftovers. The plain form
 * of the algorithm that tests compare with (tests/reference/joint_tree_plain.h) uses them, too. */
#ifndef PROTOCOL_JOINT_RULES_JOINT_TREE_SCORE_H
#define PROTOCOL_JOINT_RULES_JOINT_TREE_SCORE_H

#include <stdbool.h>
#include <stdint.h>

#include "search/problem.h"

enum {
    JOINT_TREE_MAX_TREES = 8,    /* trees of the pool, after the first one */
    JOINT_TREE_SWEEPS = 24,      /* how often leftovers ask for a class */
    JOINT_TREE_MORE_SWEEPS = 64, /* ... if several sensitive attributes are trimmed */
    JOINT_TREE_LOANS = 5,        /* shares that values may lend to a rest: 1/32, 1/16, … 1/2 */
    /* A split must keep SHARE_KEPT of SHARE_OF records, or lose fewer than k. */
    JOINT_TREE_SHARE_KEPT = 4,
    JOINT_TREE_SHARE_OF = 5,
    /* From l = LEAN_FROM on, the diverse part of a set must be one of LEAN_PART. */
    JOINT_TREE_LEAN_FROM = 4,
    JOINT_TREE_LEAN_PART = 5
};

/* --- growing --- */

/* What splitting on a slot promises; negative if the slot cannot be used. `worth`: the most that a
 * value of the slot saves; `live`: the number of live values; `big`: the rest may be a class;
 * `last`: in the last tree. */
double joint_tree_score(double worth, uint32_t live, bool big, bool last);
/* What the score of a slot is multiplied by if its values lend records to the rest. */
#define JOINT_TREE_LENT_WORTH .5
/* The most that a child of a node costs less than the node; 0 if none does. */
double joint_tree_score_worth(const attribute *a, uint32_t node);
/* Is there a slot below the node? Only if some node below it is cheaper, or if it has one child,
 * which has the same records. */
bool joint_tree_score_has_slot(const attribute *a, uint32_t node);
/* First child of a node; the children follow each other up to *end, exclusively. None: both are 0.
 */
uint32_t joint_tree_score_children(const tree *t, uint32_t node, uint32_t *end);
/* Names of sets, 64-bit hashes: of the root of the tree with this number, and of a part of a set.
 */
uint64_t joint_tree_score_tree_name(uint32_t number);
uint64_t joint_tree_score_part_name(uint64_t set, uint32_t a, uint32_t node);
/* In the place of a node: all records without a live value; the records of a value together with a
 * rest that joined them. */
#define JOINT_TREE_REST UINT32_MAX
#define JOINT_TREE_JOINED (UINT32_MAX - 1)
/* The public coin that chooses, below `live`, the live value that a small rest of the last tree
 * joins. */
uint32_t joint_tree_score_coin(uint64_t coins, uint64_t set, uint32_t live);

/* --- reweaving --- */

enum {
    JOINT_TREE_AREA_LEAVES = 6, /* leaves of an area */
    /* Attributes with more live values than this are wide: there an area asks only about the values
     * that its leaves show. */
    JOINT_TREE_WIDE_VALUES = 64
};

/* order [leaves]: the leaves sorted by closure, with another order of attributes in each round, so
 * that leaves with similar closures are neighbours. Area 0 is its first part, up to
 * joint_tree_score_area_end(0), exclusively; area 1 the next one; … */
kith_status joint_tree_score_leaf_order(uint32_t *order, const problem *p, const uint32_t *closure,
                                        uint32_t leaves, uint32_t round, arena *memory,
                                        kith_error *error);
uint32_t joint_tree_score_area_end(uint32_t area, uint32_t leaves, uint32_t round);
/* Names of an area's two trees. */
uint64_t joint_tree_score_area_name(uint32_t round, uint32_t area, bool second);
/* Cost of a closure per record; and as an integer, which secure comparisons need. */
double joint_tree_score_cost(const problem *p, const uint32_t *closure);
int64_t joint_tree_score_price(const problem *p, const uint32_t *closure);

/* --- diversity by frequency --- */

/* Trees of the pool for this l: more gain little, but cost calls; lean trees leave more to others.
 */
uint32_t joint_tree_score_max_trees(double l);
/* A class has at most this many records of one sensitive value: one less than a power of two, so
 * that circuits are small. What is more finds another class. */
uint32_t joint_tree_score_max_count(uint32_t k, double l);
/* The name under which a set is trimmed for its i-th sensitive attribute. */
uint64_t joint_tree_score_turn_name(uint64_t set, uint32_t i);
/* order [sites]: the order in which sites keep their records when a set with this name is trimmed.
 */
void joint_tree_score_site_order(uint32_t *order, uint64_t coins, uint64_t set, uint32_t sites);
/* Name of a class together with those that ask for it in one sweep. */
uint64_t joint_tree_score_sweep_name(uint32_t sweep, uint32_t leaf);
/* Leaves that are full for a record: of each of its n values, at[i][leaf * stride] tells. */
typedef struct joint_tree_full {
    const uint8_t *const *at; /* [n] */
    uint32_t n, stride;
} joint_tree_full;
/* The leaf that would lose least by taking the record in if it had k records, of those that are not
 * full; UINT32_MAX if there is none. `cells` are [n_attributes][n_records]. Sizes are secret, hence
 * k. Of more than 4,096 leaves only a sample is looked at. Cost: leaves x attributes. */
uint32_t joint_tree_score_nearest_leaf(const problem *p, const uint32_t *const *cells,
                                       uint32_t record, const uint32_t *closure, uint32_t leaves,
                                       joint_tree_full full);

/* --- private choices --- */

/* A party's key for its choices among its own records. */
typedef struct joint_tree_draws {
    unsigned char key[16];
} joint_tree_draws;
/* Those of party `self` in a run whose seed is known. */
joint_tree_draws joint_tree_score_seeded_draws(uint64_t seed, uint32_t self);
/* A uniform number for one of the party's records in the set with this name; of the records of one
 * value those with the lowest numbers stay, and those below a loan's share of 2^64 are lent. */
uint64_t joint_tree_score_draw(const joint_tree_draws *d, uint64_t set, uint32_t row);
/* Is a record with this number lent, in loan 0 … JOINT_TREE_LOANS - 1? */
bool joint_tree_score_is_lent(uint64_t drawn, uint32_t loan);

#endif
