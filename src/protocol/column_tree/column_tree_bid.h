/* What a party offers for one set where models look at sensitive values: its attributes one after
 * another, each as a split that the holder of these values, the pivot, may refuse. */
#ifndef PROTOCOL_COLUMN_TREE_COLUMN_TREE_BID_H
#define PROTOCOL_COLUMN_TREE_COLUMN_TREE_BID_H

#include "protocol/column_tree/column_tree_internal.h"

/* The split under discussion. Lives in a round's memory. */
typedef struct column_tree_proposal {
    column_tree_slot slot;
    uint8_t *branch; /* [size] index of a live value, or COLUMN_TREE_IN_REST */
    uint8_t
        part[COLUMN_TREE_MAX_LIVE]; /* the number of a live value's part, as the pivot sees it */
    uint32_t count[COLUMN_TREE_MAX_LIVE]; /* before loans; 0: not kept */
    uint32_t kept, rest;                  /* records, before loans */
    uint32_t loan, lent;
    uint32_t *order; /* [kept] records of the branches, by branch, in the order of lending; NULL
                      * before the first loan */
} column_tree_proposal;

typedef struct column_tree_bid {
    uint8_t *scores; /* [n_sides] of attributes that were not yet proposed; 0: none */
    /* The best split that the pivot accepted. */
    uint32_t side, value; /* 0: none */
    uint8_t *branch;      /* [size] */
    column_tree_proposal *proposal;
} column_tree_bid;

/* The best of what is open or accepted. */
column_tree_offer column_tree_bid_best(const column_tree *w, const column_tree_bid *b);
/* Proposes the best attribute; false if the best is accepted already. KITH_PEER if this party has
 * no offer: the pivot must not ask. */
kith_status column_tree_bid_propose(column_tree *w, column_tree_bid *b, const column_tree_set *n,
                                    bool *is_new, arena *round, kith_error *error);
/* The parts as the pivot sees them: numbers without a meaning, and COLUMN_TREE_IN_REST. */
void column_tree_bid_show(const column_tree_bid *b, uint8_t *parts, const column_tree_set *n);
/* After a refusal: whole branches join the rest, the smaller ones first; where they are too few,
 * all branches lend records by private coins. Neither depends on sensitive values. *lends becomes
 * false if too little would be kept: then the split is dropped. */
kith_status column_tree_bid_lend(const column_tree *w, column_tree_bid *b, const column_tree_set *n,
                                 bool *lends, arena *round, kith_error *error);
/* The split as it is now may be made: keeps it if it is the best so far. */
kith_status column_tree_bid_granted(const column_tree *w, column_tree_bid *b,
                                    const column_tree_set *n, arena *step, kith_error *error);

#endif
