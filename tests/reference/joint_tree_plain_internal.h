/* Inside joint_tree_plain*.c: what one run keeps. */
#ifndef REFERENCE_JOINT_TREE_PLAIN_INTERNAL_H
#define REFERENCE_JOINT_TREE_PLAIN_INTERNAL_H

#include "reference/joint_tree_plain.h"
#include "protocol/joint_rules/joint_tree_diversity.h"
#include "protocol/joint_rules/joint_tree_score.h"

/* A list of records or nodes, in an array of its own. */
typedef struct plain_list {
    uint32_t *items;
    uint32_t count;
} plain_list;

/* A class so far: its records, and per attribute a node that covers them. */
typedef struct plain_leaf {
    plain_list rows;
    uint32_t *closure;
    bool loose; /* the closure is only an upper bound: in the last tree, after trimming */
    uint64_t name;
} plain_leaf;

/* No value of this attribute may be too frequent. */
typedef struct plain_frequency {
    joint_tree_diversity rule;
    const sensitive_attribute *of;
} plain_frequency;

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
    plain_frequency *frequencies; /* [n_frequencies] what trimming keeps */
    uint32_t n_frequencies;
    bool shares;     /* splits must not lose much: with every diversity */
    bool lends;      /* ... or values lend records: with diversity by distinct values */
    uint32_t *local; /* [n_records] number of each record at its site */
} plain_grower;

/* What is known of a set: where its records agree, and which values are worth a question. */
typedef struct plain_place {
    uint64_t name;
    uint32_t *node;    /* [n_attributes] */
    uint32_t *bound;   /* [n_attributes] covers also the records that joined */
    bool *closed;      /* [n_attributes] */
    plain_list *asked; /* [n_attributes] nodes; items NULL: all children */
    bool last;
} plain_place;

/* joint_tree_plain_fit.c: are these records a class of at least `min_size`? */
bool joint_tree_plain_good(plain_grower *g, plain_list rows, uint64_t min_size);
/* Could some of them be one? */
bool joint_tree_plain_fit(plain_grower *g, plain_list rows, uint64_t min_size);
/* May a class of `size` records have this many of one value? */
static inline bool joint_tree_plain_may_have(const plain_frequency *f, uint64_t count,
                                             uint64_t size)
{
    return (uint64_t)f->rule.times * count <= (uint64_t)f->rule.scale * size;
}
/* Nodes that too few sites have, for l-site-diversity by attributes, and raised cells. */
kith_status joint_tree_plain_forbid(plain_grower *g, kith_error *error) KITH_MUST_USE;

/* Trims the leaves from `first` on. */
kith_status joint_tree_plain_trim_leaves(plain_grower *g, uint32_t first,
                                         kith_error *error) KITH_MUST_USE;
/* The leftovers ask for classes, in sweeps. */
kith_status joint_tree_plain_sweep(plain_grower *g, kith_error *error) KITH_MUST_USE;
/* The site of a record, and what its site draws for it. */
uint32_t joint_tree_plain_site(const plain_grower *g, uint32_t record);
uint64_t joint_tree_plain_draw(const plain_grower *g, uint64_t set, uint32_t record);
/* joint_tree_plain_grow.c: adds records to the pool. */
kith_status joint_tree_plain_eject(plain_grower *g, plain_list rows,
                                   kith_error *error) KITH_MUST_USE;

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
