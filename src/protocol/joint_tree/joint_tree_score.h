/* The rules of the joint tree (joint_tree.h) that do not depend on which party holds which records:
 * scores of slots, names of sets, coins, areas of reweaving, parts of the leftovers. The plain form
 * of the algorithm that tests compare with (tests/reference/joint_tree_plain.h) uses them, too. */
#ifndef PROTOCOL_JOINT_TREE_JOINT_TREE_SCORE_H
#define PROTOCOL_JOINT_TREE_JOINT_TREE_SCORE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/context.h"
#include "search/problem.h"

enum {
    JOINT_TREE_MAX_TREES = 8, /* trees of the pool, after the first one */
    JOINT_TREE_BUCKETS = 8,   /* parts of the leftovers that are spread one after another */
    JOINT_TREE_SWEEPS = 2     /* how often every part is spread */
};

/* --- growing --- */

/* What splitting on a slot promises; negative if the slot cannot be used. `worth`: the most that a
 * value of the slot saves; `live`: the number of live values; `big`: the rest may be a class;
 * `last`: in the last tree; `monotone`: good sets stay good whatever joins them, so that a rest
 * that is not big is small. */
double joint_tree_score(double worth, uint32_t live, bool big, bool last, bool monotone);
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

/* --- spreading leftovers --- */

/* A record's part, below JOINT_TREE_BUCKETS; `cells` are [n_attributes][n_records]. */
uint32_t joint_tree_score_bucket(const problem *p, const uint32_t *const *cells, uint32_t record);
/* The leaf that would lose least by taking the record in if it had k records, except for the leaf
 * that has refused it; UINT32_MAX if there is none. Sizes are secret, hence k. Of more than 4,096
 * leaves only a sample is looked at. Cost: leaves x attributes. */
uint32_t joint_tree_score_nearest_leaf(const problem *p, const uint32_t *const *cells,
                                       uint32_t record, const uint32_t *closure, uint32_t leaves,
                                       uint32_t refused);

#endif
