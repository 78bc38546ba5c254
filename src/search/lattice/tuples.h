/* The distinct records of a problem, and their codes at every level: what a lattice search groups.
 *
 * Invariants: tuple t stands for weight[t] > 0 records that agree in all cells; the weights add up
 * to n_own. leaf[t * n_attributes + j] is the leaf of its cell in attribute j, or the tree's number
 * of leaves for a wildcard, a cell that is at the root in the data. The code of a cell at a level
 * is its position among the nodes of the level; the code of a wildcard is one more than the last of
 * these, except at the root, where all cells agree. Lists have no value twice, and their times add
 * up to the tuple's weight.
 *
 * Over ranks a tuple may stand for records that agree only from some level on (distribution.h): its
 * leaf is then one of theirs, and where it matters a list has all of them. */
#ifndef SEARCH_LATTICE_TUPLES_H
#define SEARCH_LATTICE_TUPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/check.h"
#include "search/problem.h"

typedef struct tuple_attribute {
    const tree *tree;
    const uint32_t *const *code; /* [n_levels][leaves + 1] */
    const uint8_t *bits;         /* [n_levels] width of a code */
} tuple_attribute;

typedef struct tuples {
    uint32_t count;
    uint32_t n_attributes;
    const tuple_attribute *attributes;
    uint32_t n_records; /* of the whole table */
    uint32_t n_own;     /* of these tuples */
    uint32_t *leaf;     /* [count * n_attributes] */
    uint32_t *weight;   /* [count] */
    uint32_t *of;       /* [records of the problem] tuple of a record; NULL: not known */
    /* Values per tuple, entries first[s][t] … first[s][t+1]-1: list s < n_sensitive has those of a
     * sensitive attribute, list n_sensitive + j the leaves of attribute j. first[s] is NULL where
     * there is no list: no model needs sensitive values, or `leaf` has the only leaf. */
    uint32_t n_sensitive;
    uint32_t n_lists; /* n_sensitive + n_attributes */
    uint32_t **first; /* [n_lists][count + 1] */
    uint32_t **value; /* [n_lists][n_entries] */
    uint32_t **times; /* [n_lists][n_entries] */
} tuples;

/* The leaves of a tuple's cells, and one of them. */
static inline const uint32_t *tuples_row(const tuples *t, uint32_t tuple)
{
    return t->leaf + (size_t)tuple * t->n_attributes;
}

static inline uint32_t tuples_leaf(const tuples *t, uint32_t tuple, uint32_t axis)
{
    return tuples_row(t, tuple)[axis];
}

/* The tuples of this rank's records, which may have weights. Cells must be leaves or the root.
 * `values`: with lists of sensitive values. */
kith_status tuples_build(tuples *t, const problem *p, bool values, arena *memory,
                         kith_error *error) KITH_MUST_USE;

/* Every record a tuple of its own, in this order; without lists. */
kith_status tuples_build_apart(tuples *t, const problem *p, const uint32_t *record, arena *memory,
                               kith_error *error) KITH_MUST_USE;

bool tuples_have_wildcards(const tuples *t);

#if KITH_DEBUG
/* Aborts unless the invariants hold. Cost: records x attributes. */
void tuples_check(const tuples *t, const problem *p);
#endif

#endif
