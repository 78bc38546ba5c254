/* The rules of the tree that several sites grow together (protocol/tree_joint.h): what does not
 * depend on where the records lie.
 *
 * All decisions are yes/no answers: may these records be a class? A set of records offers, for
 * every attribute, the slot below the node on which it agrees; a value of the slot is live if its
 * records may be a class, the rest is big if the other records may be one. The slot with the
 * highest score splits the set into live values and rest; a rest that is not big goes to a pool,
 * which grows a tree of its own, up to JOINT_TREE_MAX_TREES times, and the last tree of them ejects
 * nothing. What is left over in the end joins a class that exists. */
#ifndef PROTOCOL_JOINT_TREE_JOINT_TREE_SCORE_H
#define PROTOCOL_JOINT_TREE_JOINT_TREE_SCORE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/context.h"
#include "search/problem.h"

enum {
    JOINT_TREE_MAX_TREES = 8, /* trees of the pool, after the first one */
    JOINT_TREE_BUCKETS = 8,   /* leftovers are spread in so many parts, */
    JOINT_TREE_SWEEPS = 2     /* so many times */
};

/* --- growing --- */

/* What splitting on a slot promises: `worth` is the most that a value of the slot saves; `live` is
 * the number of live values; `grows`: a rest that is not big is small, since good sets stay good
 * whatever joins them. 0 or more; negative if the slot cannot be used. */
double joint_tree_score(double worth, uint32_t live, bool big, bool last, bool grows);
/* The most that a child of a node costs less than the node; 0 if none does. */
double joint_tree_score_worth(const attribute *a, uint32_t node);
/* Is there a slot below the node? Not if nothing below it is cheaper, unless there is one child,
 * which stands for the same set. */
bool joint_tree_score_has_slot(const attribute *a, uint32_t node);
/* First child of a node, whose children follow each other up to the end returned in *end. */
uint32_t joint_tree_score_children(const tree *t, uint32_t node, uint32_t *end);
/* Names of sets: of the tree with this number, and of a part of a set. */
uint64_t joint_tree_score_tree_name(uint32_t number);
uint64_t joint_tree_score_part_name(uint64_t set, uint32_t axis, uint32_t node);
#define JOINT_TREE_REST UINT32_MAX /* as a node: the rest */
#define JOINT_TREE_JOINED \
    (UINT32_MAX - 1) /* as a node of a value's records: with a rest that joined */
/* The public coin that says which of the live values takes in a small rest of the last tree. */
uint32_t joint_tree_score_coin(uint64_t coins, uint64_t set, uint32_t live);

/* --- reweaving --- */

enum {
    JOINT_TREE_AREA_LEAVES = 6, /* leaves of an area */
    JOINT_TREE_WIDE_VALUES =
        64 /* values: where more live, an area asks only about those it shows */
};

/* order [leaves]: leaves that are near each other follow each other, by another order of attributes
 * in each round. Areas are runs of it: the first ends at joint_tree_score_area_end(0), … */
kith_status joint_tree_score_leaf_order(uint32_t *order, const problem *p, const uint32_t *closure,
                                        uint32_t leaves, uint32_t round, arena *memory,
                                        kith_error *error);
uint32_t joint_tree_score_area_end(uint32_t area, uint32_t leaves, uint32_t round);
/* Names of an area's two trees. */
uint64_t joint_tree_score_area_name(uint32_t round, uint32_t area, bool second);
/* Cost of a closure per record as an integer. */
int64_t joint_tree_score_price(const problem *p, const uint32_t *closure);

/* --- spreading leftovers --- */

/* A record's part, below JOINT_TREE_BUCKETS; `cells` are [n_attributes][n_records]. */
uint32_t joint_tree_score_bucket(const problem *p, const uint32_t *const *cells, uint32_t record);
/* The leaf that loses least by taking the record in, were it of size k, other than the one that has
 * refused it; UINT32_MAX if there is none. Of very many leaves only some are looked at. Cost:
 * leaves x attributes. */
uint32_t joint_tree_score_nearest_leaf(const problem *p, const uint32_t *const *cells,
                                       uint32_t record, const uint32_t *closure, uint32_t leaves,
                                       uint32_t refused);

#endif
