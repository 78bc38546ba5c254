/* Nodes of one tree while it grows: inside tree_grow.c, tree_count.c and tree_split.c. */
#ifndef PROTOCOL_JOINT_TREE_JOINT_TREE_INTERNAL_H
#define PROTOCOL_JOINT_TREE_JOINT_TREE_INTERNAL_H

#include "protocol/joint_tree/joint_tree_grow.h"

/* How a set stands in one attribute. */
typedef struct tree_axis {
    uint32_t node;         /* on which its records agree, but for those that joined */
    uint32_t bound;        /* covers those, too */
    const uint32_t *value; /* children of the node that are asked about, then: those that live */
    uint32_t values;
    bool dead; /* closed for this set and all below it */
    bool big;  /* phase B: so is the rest */
} tree_axis;

typedef enum tree_phase { PHASE_VALUES, PHASE_RESTS, PHASE_JOINT } tree_phase;

typedef struct tree_node {
    uint32_t id; /* place in the skeleton */
    uint64_t name;
    tree_phase phase;
    uint32_t first, size; /* this party's records: rows[first …] */
    tree_axis *axis;      /* [attributes] */
    size_t question;      /* its first one in the call under way */
    uint32_t best;        /* phase C: the slot to be split if the joint set is too small */
    uint32_t *rest;       /* phase B: [attributes * width] tallies of rests, in `kept` */
} tree_node;

/* The finished shape: children of a node follow each other. A leaf has a closure. */
typedef struct tree_bone {
    uint32_t child, children;
    uint32_t first, size; /* of a leaf: its records */
    uint32_t *closure;    /* of a leaf, else NULL */
    uint64_t name;        /* of a leaf */
} tree_bone;

/* One call's questions. */
typedef struct tree_batch {
    size_t count, room;
    uint32_t *tally;
    uint64_t *name;
    uint64_t *bits;
    size_t bit_room;
} tree_batch;

/* One tree. Everything lives in `memory` and goes with it. */
typedef struct tree_growth {
    tree_forest *forest;
    arena *memory;
    arena *kept; /* tallies until the next call */
    tree_seed seed;
    bool first_root;
    uint32_t *rows, *spare; /* this party's records, those of every node together */
    uint32_t *bucket;       /* scratch, [rows] */
    uint32_t *where;        /* scratch, [most nodes of a tree]: question + 1 of a value, or 0 */
    tree_node *open, *next; /* sets that have questions; those of the next call */
    size_t opened, open_room, nexts, next_room;
    tree_bone *bone;
    uint32_t bones, bone_room;
    tree_batch batch;
} tree_growth;

/* Is there a slot in this attribute? */
static inline bool tree_axis_offers(const tree_growth *g, const tree_node *n, uint32_t a)
{
    return !n->axis[a].dead && g->forest->worth[a][n->axis[a].node] >= 0;
}
/* One live value and a small rest. */
static inline bool tree_axis_single(const tree_axis *axis)
{
    return !axis->dead && axis->values == 1 && !axis->big;
}

/* tree_count.c: writes the questions of all open sets. */
kith_status tree_count(tree_growth *g, kith_error *error) KITH_MUST_USE;
/* Adds a row to a tally. */
void tree_count_row(const tree_forest *f, uint32_t *tally, uint32_t row);

/* tree_split.c: the roots; then what was made becomes what is open. */
kith_status tree_split_roots(tree_growth *g, kith_error *error) KITH_MUST_USE;
void tree_split_advance(tree_growth *g);
/* Children of a set, in `next`, or in the skeleton as a leaf. */
kith_status tree_split_leaf(tree_growth *g, tree_node *n, kith_error *error) KITH_MUST_USE;
kith_status tree_split_values(tree_growth *g, tree_node *n, uint32_t best,
                              kith_error *error) KITH_MUST_USE;
kith_status tree_split_singles(tree_growth *g, tree_node *n, kith_error *error) KITH_MUST_USE;
/* Takes in a set that stays open. */
kith_status tree_split_open(tree_growth *g, const tree_node *n, kith_error *error) KITH_MUST_USE;

/* Child of `node` on the way to the cell of a row, UINT32_MAX if there is none. */
static inline uint32_t tree_child(const tree *t, uint32_t node, uint32_t cell)
{
    if (t->level[cell] >= t->level[node])
        return UINT32_MAX;
    uint32_t child = tree_up(t, t->first[cell], t->level[node] - 1u);
    return t->parent[child] == node ? child : UINT32_MAX;
}

#endif
