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
typedef enum tree_event {
    TREE_ALL,       /* all records; the pool */
    TREE_VALUE,     /* A: a value of a slot */
    TREE_REST,      /* B: all records that have no live value of a slot */
    TREE_JOINT,     /* C: the values of all slots with one live value */
    TREE_LEFTOVERS, /* classes together with the leftovers */
    TREE_LEAF,      /* no question: `of` is the leaf's number */
    TREE_JOIN,      /* no question: the value `node` and its slot's rest are one set now */
    TREE_HOST       /* no question: the leaf with this number takes the leftovers in */
} tree_event;

/* For audits: told, at one party, of every bit that is opened, in order. Sets have names; `of` is
 * the set that may be split. */
typedef struct tree_record {
    void (*opened)(void *user, tree_event event, uint64_t set, uint64_t of, uint32_t axis,
                   uint32_t node, uint32_t least, bool bit);
    void *user;
} tree_record;

/* What the trees of a run share. */
typedef struct tree_forest {
    const problem *problem;
    const tree_rules *rules;
    party *party;
    context *context;
    arena *memory; /* of the run */
    uint64_t coins;
    const tree_record *record;
    const uint32_t **cells; /* [attributes] this party's cells, raised where sites are too few */
    uint8_t **forbidden;    /* [attributes][nodes] or NULL: a question that is not allowed */
    double **worth;         /* [attributes][nodes] what the slot below a node promises; < 0: none */
    uint32_t **alive;       /* [attributes] values that live at the first root, ascending */
    uint32_t *alive_count;  /* [attributes] */
    uint32_t *pool, pooled; /* this party's records that were ejected; [records] */
    bool emptied;           /* everyone knows that the pools are empty */
    uint32_t *class_of;     /* [records] leaf, or UINT32_MAX */
    uint32_t leaves;        /* in the order of trees, then from the first child to the last */
    uint32_t leaf_room;
    uint32_t *area;    /* [leaves] of their roots */
    uint32_t *closure; /* [leaves * attributes] nodes that cover the leaf's records */
    /* Leaves from here on may have lower closures than their predicates say: those of the last
     * tree, and all where a part of a bad set may be good (diversity by frequency). */
    uint32_t loose_from;
    uint64_t questions, batches;
} tree_forest;

kith_status tree_forest_init(tree_forest *f, kith_error *error) KITH_MUST_USE;

/* A root: a set of records that is split on its own. */
typedef struct tree_sprout {
    uint64_t name;
    uint32_t first, size; /* this party's records: rows[first …] */
    uint32_t area;        /* what its leaves are to remember */
    bool unfit;           /* the whole may not be a class; not in a last tree */
    /* [attributes] values that it asks about where more than WEAVE_BITS_WIDE live; or NULL */
    const uint32_t *const *shown;
    const uint32_t *shown_count;
} tree_sprout;

/* What trees grow from, all at once. */
typedef struct tree_seed {
    uint32_t *rows; /* this party's, those of each root together; may not be the pool itself */
    uint32_t count;
    uint32_t roots;
    const tree_sprout *root; /* [roots] */
    bool first;              /* of all trees */
    bool last;               /* ejects nothing */
} tree_seed;

/* Adds leaves; ejected rows go to the pool, which is empty before. */
kith_status tree_grow(tree_forest *f, tree_seed seed, kith_error *error) KITH_MUST_USE;

#endif
