/* The lattice of full-domain generalizations, and what a search knows about its nodes.
 *
 * A node is a vector of levels, one per attribute, within the attribute's bounds. Inside the
 * lattice levels are counted from the lowest one allowed; lattice_levels gives those of the trees.
 * Invariants: node ids are the vectors read as a mixed-radix number, the first attribute most
 * significant, so that the order of ids is the lexicographic order of vectors; node 0 generalizes
 * nothing, the last node everything. A node never loses its tag or gets another one; `decided`
 * counts the nodes that have one. */
#ifndef SEARCH_LATTICE_LATTICE_H
#define SEARCH_LATTICE_LATTICE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/check.h"
#include "search/problem.h"

enum { LATTICE_MAX_NODES = 1 << 24, LATTICE_MAX_ATTRIBUTES = 64 };

typedef enum lattice_tag { TAG_UNKNOWN, TAG_SATISFIED, TAG_VIOLATED } lattice_tag;

typedef struct lattice {
    uint32_t n_attributes;
    uint32_t n_nodes;
    uint32_t top;     /* sum of levels of the last node */
    uint32_t *low;    /* [n_attributes] lowest level of the tree that is allowed */
    uint32_t *height; /* [n_attributes] highest level, from `low` on */
    uint32_t *stride; /* [n_attributes] */
    uint8_t *tag;     /* [n_nodes] lattice_tag */
    uint32_t *stack;  /* scratch of the tagging walks */
    uint32_t decided; /* nodes with a tag */
} lattice;

/* KITH_INVALID if the lattice is too large to search. */
kith_status lattice_init(lattice *l, const problem *p, arena *memory, kith_error *error);

static inline uint32_t lattice_level(const lattice *l, uint32_t node, uint32_t axis)
{
    return node / l->stride[axis] % (l->height[axis] + 1);
}

/* Sum of levels: how far the node is from the bottom. */
uint32_t lattice_sum(const lattice *l, uint32_t node);
void lattice_levels(const lattice *l, uint32_t node, uint8_t *levels);

/* The node one level up (down) in an attribute, or UINT32_MAX at the border. */
static inline uint32_t lattice_up(const lattice *l, uint32_t node, uint32_t axis)
{
    return lattice_level(l, node, axis) < l->height[axis] ? node + l->stride[axis] : UINT32_MAX;
}

static inline uint32_t lattice_down(const lattice *l, uint32_t node, uint32_t axis)
{
    return lattice_level(l, node, axis) > 0 ? node - l->stride[axis] : UINT32_MAX;
}

/* Tags one node alone, or a node with everything above (below) it that has no tag, which is correct
 * only for the monotone part of the models. */
void lattice_tag_one(lattice *l, uint32_t node, lattice_tag tag);
void lattice_tag_up(lattice *l, uint32_t node);
void lattice_tag_down(lattice *l, uint32_t node);

/* All nodes ordered by their sum of levels, then by id: order[n_nodes]; start[sum] is where a sum
 * begins, [top + 2]. */
kith_status lattice_by_sum(const lattice *l, uint32_t **order, uint32_t **start, arena *memory,
                           kith_error *error);

#if KITH_DEBUG
/* Aborts unless the invariants hold. Cost: nodes. */
void lattice_check(const lattice *l);
#endif

#endif
