/* Inside weave_bits*.c: what one run keeps. */
#ifndef SEARCH_WEAVE_BITS_INSIDE_H
#define SEARCH_WEAVE_BITS_INSIDE_H

#include "search/weave_bits.h"

/* A list of records, in an array of its own. */
typedef struct weave_bits_list {
    uint32_t *record;
    uint32_t count;
} weave_bits_list;

/* A class so far: its records, and per attribute a node that covers them. */
typedef struct weave_bits_leaf {
    weave_bits_list rows;
    uint32_t *closure;
    bool last; /* the closure is only an upper bound: in the last tree, and where models do not grow
                */
} weave_bits_leaf;

typedef struct weave_bits_grower {
    const problem *problem;
    const weave_bits_sites *sites; /* or NULL */
    const uint32_t **cells; /* [attributes] of the records, raised where models forbid more */
    uint8_t **forbidden;    /* [attributes][nodes] or NULL: too few sites have it */
    uint64_t coins;
    arena *memory;
    uint32_t *count;      /* scratch: [most values of a secret], zero between calls */
    uint32_t *at_site;    /* scratch: [sites] */
    histogram *histogram; /* [secrets] */
    weave_bits_leaf *leaf;
    uint32_t leaves, leaf_room;
    weave_bits_list pool;
    uint8_t **alive; /* [attributes][nodes] live at the first root */
    bool first_root; /* the next node is the first root */
    uint32_t rounds; /* of reweaving */
    bool grows;      /* a good class stays good whatever joins it */
} weave_bits_grower;

/* What is known of a set: where its records agree, and which values are worth a question. */
typedef struct weave_bits_place {
    uint64_t name;
    uint32_t *node;         /* [attributes] */
    uint32_t *bound;        /* [attributes] covers the records that joined, too */
    bool *dead;             /* [attributes] */
    weave_bits_list *asked; /* [attributes] nodes; record NULL: all children */
    bool last;
    bool unfit; /* may not be a class itself */
} weave_bits_place;

/* weave_bits_fit.c: may these records be a class of `least` or more? */
bool weave_bits_fit(weave_bits_grower *g, weave_bits_list rows, uint64_t least);
/* Nodes that too few sites have, for l-site-diversity by attributes, and raised cells. */
kith_status weave_bits_forbid(weave_bits_grower *g, kith_error *error) KITH_MUST_USE;

/* weave_bits_grow.c: splits a set until nothing is left to split; adds leaves, ejects to the pool.
 */
kith_status weave_bits_grow(weave_bits_grower *g, weave_bits_list rows, const weave_bits_place *at,
                            kith_error *error) KITH_MUST_USE;

/* weave_bits.c: a tree of its own for some records; with `shown` (count) its root asks only about
 * values that these leaves show. */
kith_status weave_bits_plant(weave_bits_grower *g, weave_bits_list rows, uint64_t name, bool last,
                             const weave_bits_leaf *shown, uint32_t count,
                             kith_error *error) KITH_MUST_USE;
/* Cost of a leaf's closure per record; its closure, made exact; with more records. */
double weave_bits_cost(const weave_bits_grower *g, const weave_bits_leaf *l);
kith_status weave_bits_close(weave_bits_grower *g, weave_bits_leaf *l,
                             kith_error *error) KITH_MUST_USE;
kith_status weave_bits_unite(weave_bits_grower *g, weave_bits_leaf *host, weave_bits_list rows,
                             kith_error *error) KITH_MUST_USE;

/* weave_bits_reweave.c: one round. */
kith_status weave_bits_reweave(weave_bits_grower *g, uint32_t round,
                               kith_error *error) KITH_MUST_USE;

#endif
