/* Nodes of one tree while it grows: inside tree_grow.c, tree_count.c and tree_split.c. */
#ifndef PROTOCOL_JOINT_TREE_JOINT_TREE_INTERNAL_H
#define PROTOCOL_JOINT_TREE_JOINT_TREE_INTERNAL_H

#include "protocol/joint_tree/joint_tree_grow.h"

/* How a set stands in one attribute. */
typedef struct joint_tree_axis {
    uint32_t node;          /* on which its records agree, but for those that joined */
    uint32_t bound;         /* covers those, too */
    const uint32_t *values; /* children of the node that are asked about, then: those that live */
    uint32_t n_values;
    bool dead; /* closed for this set and all below it */
    bool big;  /* phase B: so is the rest */
} joint_tree_axis;

typedef enum joint_tree_phase { PHASE_VALUES, PHASE_RESTS, PHASE_JOINT } joint_tree_phase;

typedef struct joint_tree_node {
    uint32_t id; /* place in the skeleton */
    uint64_t name;
    joint_tree_phase phase;
    uint32_t first, size;  /* this party's records: rows[first …] */
    joint_tree_axis *axis; /* [n_attributes] */
    size_t question;       /* its first one in the call under way */
    uint32_t best;         /* phase C: the slot to be split if the joint set is too small */
    uint32_t *rest;        /* phase B: [n_attributes * width] tallies of rests, in `kept` */
} joint_tree_node;

/* The finished shape: children of a node follow each other. A leaf has a closure. */
typedef struct joint_tree_result_node {
    uint32_t child, children;
    uint32_t first, size; /* of a leaf: its records */
    uint32_t *closure;    /* of a leaf, else NULL */
    uint64_t name;        /* of a leaf */
} joint_tree_result_node;

/* One call's questions. */
typedef struct joint_tree_batch {
    size_t count, room;
    uint32_t *tallies;
    uint64_t *names;
    uint64_t *bits;
    size_t bit_room;
} joint_tree_batch;

/* One tree. Everything lives in `memory` and goes with it. */
typedef struct joint_tree_growth {
    joint_tree *tree;
    arena *memory;
    arena *kept; /* tallies until the next call */
    joint_tree_root_set root_set;
    bool first_root;
    uint32_t *rows, *spare; /* this party's records, those of every node together */
    uint32_t *bucket;       /* scratch, [rows] */
    uint32_t *where;        /* scratch, [most n_nodes of a tree]: question + 1 of a value, or 0 */
    joint_tree_node *open, *next; /* sets that have questions; those of the next call */
    size_t n_open, open_room, n_next, next_room;
    joint_tree_result_node *result_nodes;
    uint32_t n_result_nodes, result_node_room;
    joint_tree_batch batch;
} joint_tree_growth;

/* Is there a slot in this attribute? */
static inline bool joint_tree_axis_has_slot(const joint_tree_growth *g, const joint_tree_node *n,
                                            uint32_t a)
{
    return !n->axis[a].dead && g->tree->worth[a][n->axis[a].node] >= 0;
}
/* One live value and a small rest. */
static inline bool joint_tree_axis_is_single(const joint_tree_axis *axis)
{
    return !axis->dead && axis->n_values == 1 && !axis->big;
}

/* tree_count.c: writes the questions of all open sets. */
kith_status joint_tree_count(joint_tree_growth *g, kith_error *error) KITH_MUST_USE;
/* Adds a row to a tally. */
void joint_tree_count_row(const joint_tree *f, uint32_t *tally, uint32_t row);

/* tree_split.c: the roots; then what was made becomes what is open. */
kith_status joint_tree_split_roots(joint_tree_growth *g, kith_error *error) KITH_MUST_USE;
void joint_tree_split_advance(joint_tree_growth *g);
/* Children of a set, in `next`, or in the skeleton as a leaf. */
kith_status joint_tree_split_leaf(joint_tree_growth *g, joint_tree_node *n,
                                  kith_error *error) KITH_MUST_USE;
kith_status joint_tree_split_values(joint_tree_growth *g, joint_tree_node *n, uint32_t best,
                                    kith_error *error) KITH_MUST_USE;
kith_status joint_tree_split_singles(joint_tree_growth *g, joint_tree_node *n,
                                     kith_error *error) KITH_MUST_USE;
/* Takes in a set that stays open. */
kith_status joint_tree_split_open(joint_tree_growth *g, const joint_tree_node *n,
                                  kith_error *error) KITH_MUST_USE;

/* Child of `node` on the way to the cell of a row, UINT32_MAX if there is none. */
static inline uint32_t joint_tree_child(const tree *t, uint32_t node, uint32_t cell)
{
    if (t->level[cell] >= t->level[node])
        return UINT32_MAX;
    uint32_t child = tree_up(t, t->first[cell], t->level[node] - 1u);
    return t->parent[child] == node ? child : UINT32_MAX;
}

#endif
