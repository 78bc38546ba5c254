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

#endif
