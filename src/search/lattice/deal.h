/* How the tuples of a table are dealt out to ranks, so that ranks check nodes of the lattice
 * together and each has a part of the tuples only.
 *
 * Tuples that agree at a node agree at all nodes above it. So if tuples are dealt by their codes at
 * a node `high`, every class of every node at or below `high` lies on one rank, and a check needs
 * nothing of other ranks but sums. `high` generalizes most attributes to the root: nearly all nodes
 * are below. Those that are not are above `high` in some attribute, and so the tuples need not be
 * told apart below that level: they are made one where they agree, which are fewer, and dealt out
 * once more, for all nodes from there on. That makes a tree of deals, of which only those are made
 * that are asked for. Where few tuples are left every rank gets all of them.
 *
 * A process alone has one deal, with all tuples. */
#ifndef SEARCH_LATTICE_DEAL_H
#define SEARCH_LATTICE_DEAL_H

#include "core/run/ranks.h"
#include "search/lattice/lattice.h"
#include "search/lattice/tuples.h"

/* Which rank has a tuple: that of its codes at `high`, which are hashed to a bucket. */
typedef struct deal_anchor {
    uint8_t high[LATTICE_MAX_ATTRIBUTES];
    uint32_t n_buckets;
    const uint32_t *rank; /* [n_buckets] */
} deal_anchor;

typedef struct deal {
    uint32_t number;                     /* of the tuples: it changes when they are made again */
    uint8_t low[LATTICE_MAX_ATTRIBUTES]; /* serves nodes from here … */
    deal_anchor anchor;                  /* … up to anchor.high */
    bool everywhere;                     /* all ranks have all tuples */
    bool there;                          /* `tuples` are there; they may be made again */
    tuples tuples;
    const uint32_t **column; /* [n_attributes] leaves of all tuples; NULL unless asked for */
    uint64_t n_whole;        /* tuples of all ranks */
    uint64_t used;           /* the last time they were asked for */
    struct deal *below;      /* the one they were made from */
    struct deal **above;     /* [n_attributes] for nodes above anchor.high in an attribute */
    arena *memory;           /* of the tuples */
} deal;

typedef struct deals {
    const problem *problem;
    kith_ranks *ranks;
    arena *memory;
    const tuple_attribute *attributes;
    bool leaves;    /* lists of leaves are kept where tuples are made one */
    uint64_t small; /* so many tuples are given to every rank */
    deal *first;    /* of all nodes, with all that is known of the tuples; always there */
    deal **made;    /* [n_made] the others */
    uint32_t n_made, n_room, n_numbers;
    uint64_t clock;
} deals;

/* Makes the first deal. `values`: with lists of sensitive values; `small` is 0 for a number that
 * suits. */
kith_status deals_init(deals *d, const problem *p, bool values, kith_ranks *ranks, uint64_t small,
                       arena *memory, kith_error *error) KITH_MUST_USE;

/* Begins a new check: the deals of earlier ones may be dropped from now on. */
void deals_next(deals *d);

/* The deal of a node. All ranks ask for the same one: it may have to be made. */
kith_status deals_find(deals *d, const uint8_t *levels, deal **found,
                       kith_error *error) KITH_MUST_USE;

/* The leaves of all tuples, by attribute. */
kith_status deal_columns(deal *d, kith_error *error) KITH_MUST_USE;

/* deal_anchor.c: by which codes `t`, the own tuples, are dealt out so that all ranks get about as
 * many: those of few attributes, at high levels. No rank is to have more than `most` of `n_whole`
 * tuples. */
kith_status deal_anchor_choose(deal_anchor *a, const tuples *t, const uint8_t *low,
                               uint64_t n_whole, uint64_t most, const problem *p, kith_ranks *ranks,
                               arena *memory, kith_error *error) KITH_MUST_USE;

/* The rank of a row of leaves. */
uint32_t deal_anchor_rank(const deal_anchor *a, const tuple_attribute *attributes,
                          uint32_t n_attributes, const uint32_t *row);

#endif
