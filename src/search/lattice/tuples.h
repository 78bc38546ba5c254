/* The distinct records of a problem, and their codes at every level: what a lattice search groups.
 * Over ranks these are the distinct records of all ranks, the same everywhere and in the order in
 * which one process would meet them.
 *
 * Invariants: tuple t stands for weight[t] > 0 records that agree in all cells; the weights add up
 * to the number of records. leaf[t * n_attributes + j] is the leaf of its cell in attribute j, or
 * the tree's number of leaves for a wildcard, a cell that is at the root in the data. The code of a
 * cell at a level is its position among the nodes of the level; the code of a wildcard is one more
 * than the last of these, except at the root, where all cells agree. Lists of sensitive values have
 * no value twice, and their times add up to the tuple's weight. */
#ifndef SEARCH_LATTICE_TUPLES_H
#define SEARCH_LATTICE_TUPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/check.h"
#include "core/crew.h"
#include "search/problem.h"

typedef struct tuple_attribute {
    const tree *tree;
    const uint32_t *const *code; /* [n_levels][leaves + 1] */
    const uint8_t *bits;         /* [n_levels] width of a code */
} tuple_attribute;

typedef struct tuples {
    uint32_t count;
    uint32_t n_attributes;
    tuple_attribute *attributes;
    uint32_t n_records; /* of all tuples, those of other ranks too */
    uint32_t *leaf;     /* [count * n_attributes] */
    uint32_t *weight;   /* [count] */
    uint32_t *of;       /* [records of the problem] tuple of a record */
    /* Sensitive values per tuple, one list per attribute: entries first[s][t] …
     * first[s][t+1]-1. */
    uint32_t n_sensitive;
    uint32_t **first; /* [n_sensitive][count + 1] */
    uint32_t **value; /* [n_sensitive][n_entries] */
    uint32_t **times; /* [n_sensitive][n_entries] */
} tuples;

/* Leaf of a tuple's cell. */
static inline uint32_t tuples_leaf(const tuples *t, uint32_t tuple, uint32_t axis)
{
    return t->leaf[(size_t)tuple * t->n_attributes + axis];
}

/* Cells must be leaves or the root; together the ranks have at most UINT32_MAX records. */
kith_status tuples_build(tuples *t, const problem *p, crew *ranks, arena *memory,
                         kith_error *error);

bool tuples_have_wildcards(const tuples *t);

#if KITH_DEBUG
/* Aborts unless the invariants hold. Cost: records x attributes. */
void tuples_check(const tuples *t, const problem *p);
#endif

#endif
