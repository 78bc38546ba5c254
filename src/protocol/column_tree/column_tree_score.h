/* The rules of the joint tree of columns (column_tree.h) that look at one attribute within one set:
 * which slot it offers, what that is worth, and in which order records are lent. The plain form of
 * the algorithm that tests compare with (tests/reference/column_tree_plain.h) uses them, too. */
#ifndef PROTOCOL_COLUMN_TREE_COLUMN_TREE_SCORE_H
#define PROTOCOL_COLUMN_TREE_COLUMN_TREE_SCORE_H

#include <stdbool.h>
#include <stdint.h>

#include "search/problem.h"

enum {
    /* A live value has 3% of its set, so that a set has at most 33 branches and a rest. */
    COLUMN_TREE_MAX_LIVE = 33,
    COLUMN_TREE_SCORE_BITS = 8
};

/* In the place of a level: there is no slot. */
#define COLUMN_TREE_NO_SLOT UINT32_MAX

/* The level of the slot that a set offers whose records have this node in common: the highest one
 * below on which some value costs less. */
uint32_t column_tree_score_level(const attribute *a, uint32_t node);

/* The value of a cell on a level, or COLUMN_TREE_REST if the cell lies above. */
#define COLUMN_TREE_REST UINT32_MAX
static inline uint32_t column_tree_score_value(const tree *t, uint32_t cell, uint32_t level)
{
    return t->level[cell] > level ? COLUMN_TREE_REST : tree_up(t, t->first[cell], level);
}

/* May a value with so many records of the set be a branch? */
static inline bool column_tree_score_live(uint32_t count, uint32_t size, uint32_t k)
{
    return count >= k && (uint64_t)count * 100 >= (uint64_t)size * 3;
}

/* The stream of random choices about a set and an attribute, by the numbers of both: ties between
 * records that are lent, or who is lent to dilute a rest. */
static inline uint64_t column_tree_score_stream(uint64_t set, uint32_t number, bool dilutes)
{
    return set << 24 | (uint64_t)number << 1 | dilutes;
}

/* A live value of a slot. */
typedef struct column_tree_value {
    uint32_t node, count;
    double saving; /* of a record that gets this node instead of what the set has in common */
} column_tree_value;

/* What splitting a set of `size` records on a slot is worth. `live` is in the order of nodes;
 * `unit` is public: scores of all parties are multiples of it. Returns 0 if there is no offer, else
 * 1 … 255: eight steps for every factor of two. *borrow: the records that the rest must borrow. */
uint32_t column_tree_score(uint32_t *borrow, const column_tree_value *live, uint32_t n_live,
                           uint32_t size, uint32_t k, double unit);

/* The same where a rest of fewer than k leaves for a pool instead of borrowing. */
uint32_t column_tree_score_pools(const column_tree_value *live, uint32_t n_live, uint32_t size,
                                 uint32_t k, double unit);

/* --- where models look at sensitive values --- */

/* May the pivot be asked about a split whose largest part has so many records? The answer is one
 * bit, "do all parts keep the models?", and a large part usually does: so it is about the others,
 * which must have 2k records together. */
static inline bool column_tree_score_may_ask(uint32_t largest, uint32_t size, uint32_t k)
{
    return largest <= size && (uint64_t)(size - largest) >= 2 * (uint64_t)k;
}
/* Which of n branches join the rest after the answer "no": the smaller half of them (the first of
 * equal ones), and more until they have 2k records; one stays. False: none, since that cannot be.
 * Branches with count 0 are not there. */
bool column_tree_score_join(bool *joins, const uint32_t *count, uint32_t n, uint32_t k);
/* How many records the branches lend to a rest that violates a model, after they have lent
 * `before`. Loans grow by k records or more. */
uint32_t column_tree_score_loan(uint32_t before, uint32_t rest, uint32_t k);
/* What one branch of `count` records gives, of all `kept` ones: the same share as the others, but
 * it keeps k. */
uint32_t column_tree_score_give(uint32_t loan, uint32_t count, uint32_t kept, uint32_t k);
/* May `loan` of the records in branches be lent? A tenth of the set must be kept. */
static inline bool column_tree_score_may_lend(uint32_t loan, uint32_t kept, uint32_t size)
{
    return loan < kept && (uint64_t)(kept - loan) * 10 >= size;
}
/* What a split is worth whose branches have lent records: half its score. */
uint32_t column_tree_score_diluted(uint32_t score);

#endif
