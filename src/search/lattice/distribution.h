/* How the tuples of a table are distributed over ranks, so that ranks check nodes of the lattice
 * together and each has a part of the tuples only.
 *
 * Tuples that agree at a node agree at all nodes above it. So if tuples are distributed by their
 * codes at a node `high`, every class of every node at or below `high` lies on one rank, and a
 * check needs nothing of other ranks but sums. `high` generalizes most attributes to the root:
 * nearly all nodes are below. For a node above `high` in some attribute, tuples can first be merged
 * at that level; the merged tuples are fewer, and are distributed again, for all nodes from there
 * on. That makes a tree of distributions; one is made when a node first asks for it. Where few
 * tuples are left every rank gets all of them.
 *
 * A process alone has one distribution, with all tuples. */
#ifndef SEARCH_LATTICE_DISTRIBUTION_H
#define SEARCH_LATTICE_DISTRIBUTION_H

#include "core/run/ranks.h"
#include "search/lattice/lattice.h"
#include "search/lattice/tuples.h"

/* Which rank has a tuple: that of its codes at `high`, which are hashed to a bucket. */
typedef struct distribution_anchor {
    uint8_t high[LATTICE_MAX_ATTRIBUTES];
    uint32_t n_buckets;
    const uint32_t *rank; /* [n_buckets] */
} distribution_anchor;

typedef struct distribution {
    uint32_t number;                     /* of the tuples: it changes when they are made again */
    uint8_t low[LATTICE_MAX_ATTRIBUTES]; /* serves nodes from here … */
    distribution_anchor anchor;          /* … up to anchor.high */
    bool everywhere;                     /* all ranks have all tuples */
    bool there;                          /* `tuples` are there; they may be made again */
    tuples tuples;
    const uint32_t **column;     /* [n_attributes] leaves of all tuples; NULL unless asked for */
    uint64_t n_whole;            /* tuples of all ranks */
    uint64_t used;               /* the last time they were asked for */
    struct distribution *below;  /* the one they were made from */
    struct distribution **above; /* [n_attributes] for nodes above anchor.high in an attribute */
    arena *memory;               /* of the tuples */
} distribution;

typedef struct distributions {
    const problem *problem;
    kith_ranks *ranks;
    arena *memory;
    const tuple_attribute *attributes;
    bool leaves;         /* lists of leaves are kept where tuples are merged */
    uint64_t small;      /* so many tuples are given to every rank */
    distribution *first; /* of all nodes, with all that is known of the tuples; always there */
    distribution **made; /* [n_made] the others */
    uint32_t n_made, n_room, n_numbers;
    uint64_t clock;
} distributions;

/* Makes the first distribution. `values`: with lists of sensitive values; `small` is 0 for a number
 * that suits. */
kith_status distributions_init(distributions *d, const problem *p, bool values, kith_ranks *ranks,
                               uint64_t small, arena *memory, kith_error *error) KITH_MUST_USE;

/* Begins a new check: the distributions of earlier ones may be dropped from now on. */
void distributions_next(distributions *d);

/* The distribution of a node. All ranks ask for the same one: it may have to be made. */
kith_status distributions_find(distributions *d, const uint8_t *levels, distribution **found,
                               kith_error *error) KITH_MUST_USE;

/* The leaves of all tuples, by attribute. */
kith_status distribution_columns(distribution *d, kith_error *error) KITH_MUST_USE;

/* distribution_anchor.c: by which codes `t`, this rank's tuples, are distributed so that all ranks
 * get about as many: those of few attributes, at high levels. No rank is to have more than `most`
 * of `n_whole` tuples. */
kith_status distribution_anchor_choose(distribution_anchor *a, const tuples *t, const uint8_t *low,
                                       uint64_t n_whole, uint64_t most, const problem *p,
                                       kith_ranks *ranks, arena *memory,
                                       kith_error *error) KITH_MUST_USE;

/* The rank of a row of leaves. */
uint32_t distribution_anchor_rank(const distribution_anchor *a, const tuple_attribute *attributes,
                                  uint32_t n_attributes, const uint32_t *row);

#endif
