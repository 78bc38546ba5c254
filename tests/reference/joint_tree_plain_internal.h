/* Inside joint_tree_plain*.c: what one run keeps. */
#ifndef REFERENCE_JOINT_TREE_PLAIN_INTERNAL_H
#define REFERENCE_JOINT_TREE_PLAIN_INTERNAL_H

#include "reference/joint_tree_plain.h"
#include "protocol/joint_tree/joint_tree_score.h"

/* A list of records or nodes, in an array of its own. */
typedef struct plain_list {
    uint32_t *items;
    uint32_t count;
} plain_list;

/* A class so far: its records, and per attribute a node that covers them. */
typedef struct plain_leaf {
    plain_list rows;
    uint32_t *closure;
    bool loose; /* the closure is only an upper bound: in the last tree, and unless all models are
                 * monotone */
} plain_leaf;

typedef struct plain_grower {
    const problem *problem;
    const joint_tree_plain_sites *sites; /* or NULL */
    const uint32_t **cells; /* [n_attributes] of the records, raised where models forbid more */
    uint8_t **forbidden;    /* [n_attributes][n_nodes] or NULL: too few sites have it */
    uint64_t coins;
    arena *memory;
    uint32_t *count;      /* scratch: [n_values of the largest sensitive attribute], all zero */
    uint32_t *at_site;    /* scratch: [sites] */
    histogram *histogram; /* [n_sensitive] */
    plain_leaf *leaves;
    uint32_t n_leaves, leaf_room;
    plain_list pool;
    uint8_t **is_live; /* [n_attributes][n_nodes] values that are live at the first root */
    bool first_root;   /* the next set is the first root */
    uint32_t n_rounds; /* of reweaving */
    bool monotone;     /* a good class stays good whatever joins it */
} plain_grower;

/* What is known of a set: where its records agree, and which values are worth a question. */
typedef struct plain_place {
    uint64_t name;
    uint32_t *node;    /* [n_attributes] */
    uint32_t *bound;   /* [n_attributes] covers also the records that joined */
    bool *closed;      /* [n_attributes] */
    plain_list *asked; /* [n_attributes] nodes; items NULL: all children */
    bool last;
    bool unfit; /* may not be a class itself */
} plain_place;

/* joint_tree_plain_fit.c: may these records be a class of at least `min_size`? */
bool joint_tree_plain_fit(plain_grower *g, plain_list rows, uint64_t min_size);
/* Nodes that too few sites have, for l-site-diversity by attributes, and raised cells. */
kith_status joint_tree_plain_forbid(plain_grower *g, kith_error *error) KITH_MUST_USE;

/* joint_tree_plain_grow.c: splits a set until nothing is left to split; adds leaves, ejects to the
 * pool.
 */
kith_status joint_tree_plain_grow(plain_grower *g, plain_list rows, const plain_place *at,
                                  kith_error *error) KITH_MUST_USE;

/* joint_tree_plain.c: a tree of its own for some records; with `shown` (count) its root asks only
 * about values that these leaves show. `last` as in joint_tree_grow.h. */
kith_status joint_tree_plain_grow_root(plain_grower *g, plain_list rows, uint64_t name, bool last,
                                       const plain_leaf *shown, uint32_t count,
                                       kith_error *error) KITH_MUST_USE;
/* Cost of a leaf's closure per record; its closure, made exact; with more records. */
double joint_tree_plain_cost(const plain_grower *g, const plain_leaf *l);
kith_status joint_tree_plain_close(plain_grower *g, plain_leaf *l, kith_error *error) KITH_MUST_USE;
kith_status joint_tree_plain_unite(plain_grower *g, plain_leaf *host, plain_list rows,
                                   kith_error *error) KITH_MUST_USE;

/* joint_tree_plain_reweave.c: one round. */
kith_status joint_tree_plain_reweave(plain_grower *g, uint32_t round,
                                     kith_error *error) KITH_MUST_USE;

#endif
