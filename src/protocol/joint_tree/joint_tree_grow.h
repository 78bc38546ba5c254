/* Growing one tree of the joint tree: the shape is the same at all parties, the records in it are
 * each party's own.
 *
 * A node is a set of records given by a public predicate. It asks in up to three phases: which
 * values of its slots are live (A), which of their rests are big (B), and whether enough records
 * have the values of all slots with one live value and a small rest (C). Nodes do not wait for each
 * other: one secure call holds the next questions of all open nodes, whatever their phases, so that
 * a tree takes as many calls as the longest path from its root has phases. */
#ifndef PROTOCOL_JOINT_TREE_JOINT_TREE_GROW_H
#define PROTOCOL_JOINT_TREE_JOINT_TREE_GROW_H

#include "core/context.h"
#include "protocol/joint_tree/joint_tree_rules.h"
#include "protocol/joint_tree/joint_tree_score.h"

/* What a transcript tells of. */
typedef enum joint_tree_event {
    JOINT_TREE_ALL,         /* all records; the pool */
    JOINT_TREE_VALUE,       /* A: a value of a slot */
    JOINT_TREE_REST_IS_BIG, /* B: all records that have no live value of a slot */
    JOINT_TREE_SINGLES,     /* C: the values of all slots with one live value */
    JOINT_TREE_LEFTOVERS,   /* classes together with the leftovers */
    JOINT_TREE_LEAF,        /* no question: `of` is the leaf's number */
    JOINT_TREE_JOIN,        /* no question: the value `node` and its slot's rest are one set now */
    JOINT_TREE_HOST         /* no question: the leaf with this number takes the leftovers in */
} joint_tree_event;

/* For audits: told, at one party, of every bit that is opened, in order. Sets have names; `of` is
 * the set that may be split. */
typedef struct joint_tree_recorder {
    void (*opened)(void *user, joint_tree_event event, uint64_t set, uint64_t of, uint32_t axis,
                   uint32_t node, uint32_t min_size, bool bit);
    void *user;
} joint_tree_recorder;

/* What the trees of a run share. */
typedef struct joint_tree {
    const problem *problem;
    const joint_tree_rules *rules;
    party *party;
    context *context;
    arena *memory; /* of the run */
    uint64_t coins;
    const joint_tree_recorder *recorder;
    const uint32_t **cells; /* [n_attributes] this party's cells, raised where sites are too few */
    uint8_t **forbidden;    /* [n_attributes][n_nodes] or NULL: a question that is not allowed */
    double **worth;    /* [n_attributes][n_nodes] what the slot below a node promises; < 0: none */
    uint32_t **alive;  /* [n_attributes] values that live at the first root, ascending */
    uint32_t *n_alive; /* [n_attributes] */
    uint32_t *pool, pooled; /* this party's records that were ejected; [n_records] */
    bool emptied;           /* everyone knows that the pools are empty */
    uint32_t *class_of;     /* [n_records] leaf, or UINT32_MAX */
    uint32_t n_leaves;      /* in the order of trees, then from the first child to the last */
    uint32_t leaf_room;
    uint32_t *area;    /* [n_leaves] of their roots */
    uint32_t *closure; /* [n_leaves * n_attributes] nodes that cover the leaf's records */
    /* Leaves from here on may have lower closures than their predicates say: those of the last
     * tree, and all where a part of a bad set may be good (diversity by frequency). */
    uint32_t loose_from;
    uint64_t n_questions, n_batches;
} joint_tree;

kith_status joint_tree_grow_init(joint_tree *f, kith_error *error) KITH_MUST_USE;

/* A root: a set of records that is split on its own. */
typedef struct joint_tree_root {
    uint64_t name;
    uint32_t first, size; /* this party's records: rows[first …] */
    uint32_t area;        /* what its leaves are to remember */
    bool unfit;           /* the whole may not be a class; not in a last tree */
    /* [n_attributes] values that it asks about where more than JOINT_TREE_WIDE_VALUES live; or NULL
     */
    const uint32_t *const *shown;
    const uint32_t *n_shown;
} joint_tree_root;

/* What trees grow from, all at once. */
typedef struct joint_tree_root_set {
    uint32_t *rows; /* this party's, those of each root together; may not be the pool itself */
    uint32_t count;
    uint32_t n_roots;
    const joint_tree_root *roots; /* [n_roots] */
    bool first;                   /* of all trees */
    bool last;                    /* ejects nothing */
} joint_tree_root_set;

/* Adds leaves; ejected rows go to the pool, which is empty before. */
kith_status joint_tree_grow(joint_tree *f, joint_tree_root_set seed,
                            kith_error *error) KITH_MUST_USE;

#endif
