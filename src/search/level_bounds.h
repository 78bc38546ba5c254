/* Bounds on levels (attribute.min_level, n_forbidden) for searches that know nothing of them.
 *
 * What lies below the lowest level is cut off the trees, so that cells begin there. Records that
 * have no common node at the highest level allowed can never share a class: they form groups, which
 * are searched one by one. Neither step excludes a partition that the bounds allow. */
#ifndef SEARCH_LEVEL_BOUNDS_H
#define SEARCH_LEVEL_BOUNDS_H

#include "core/arena.h"
#include "search/problem.h"

/* Does any attribute have a lowest level, a highest level? */
bool level_bounds_low(const problem *p);
bool level_bounds_high(const problem *p);

/* The same problem with trees that begin at the lowest levels. Everything new lives in `memory`;
 * the models must not look at closures. */
kith_status level_bounds_cut(problem *cut, const problem *p, arena *memory,
                             kith_error *error) KITH_MUST_USE;

/* From nodes of the cut trees to those of the original ones, in nodes[n_rows * n_attributes]; NULL:
 * there are none. */
void level_bounds_restore(uint32_t *nodes, size_t n_rows, const problem *original);

/* Groups of records that may share a class, for a problem without wildcards in bounded attributes:
 * group g has the records order[start[g] … start[g + 1] - 1], ascending. Groups come in the order
 * of their first records. */
typedef struct level_groups {
    uint32_t count;
    uint32_t *order; /* [n] */
    uint32_t *start; /* [count + 1] */
} level_groups;

/* Of the `n` records listed. */
kith_status level_bounds_groups(level_groups *groups, const problem *p, const uint32_t *records,
                                uint32_t n, arena *memory, kith_error *error) KITH_MUST_USE;

#endif
