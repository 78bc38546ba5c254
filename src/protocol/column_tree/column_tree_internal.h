/* The state of a joint tree of columns, shared by the files of this room. */
#ifndef PROTOCOL_COLUMN_TREE_COLUMN_TREE_INTERNAL_H
#define PROTOCOL_COLUMN_TREE_COLUMN_TREE_INTERNAL_H

#include "core/check.h"
#include "core/rng.h"
#include "search/class_rules.h"
#include "protocol/column_tree/column_tree.h"
#include "protocol/column_tree/column_tree_score.h"

/* In the place of a party: no party can split the set. */
#define COLUMN_TREE_NOBODY UINT32_MAX

/* A set of records, known to all parties: members[first … first + size - 1]. */
typedef struct column_tree_set {
    uint32_t first, size;
    uint64_t number; /* in the order in which sets arise: the stream of its coins */
    /* With pools. */
    uint32_t pool;  /* where records go that leave the set */
    uint32_t depth; /* splits above it */
} column_tree_set;

typedef struct column_tree_sets {
    column_tree_set *items;
    size_t count, room;
} column_tree_sets;

/* The records that leave the parts of one set, until they are k and become a set of their own. */
typedef struct column_tree_pool {
    uint32_t above;  /* the pool that gets what is left in the end; the first one has none */
    uint32_t depth;  /* of the sets that are made of it */
    uint32_t n_open; /* parts of the set that still grow */
    uint32_t *records;
    size_t count, room;
} column_tree_pool;

/* One of this party's attributes. */
typedef struct column_tree_side {
    const attribute *attribute;
    uint32_t number; /* among the attributes of all parties */
    uint32_t *cells; /* [n_records] those of records that a branch has lent are lifted to what the
                      * set had in common: the release never shows the branch's value for them */
    uint32_t *level; /* [n_nodes] of the slot of a set that has this node in common */
    uint32_t *count; /* [n_nodes] scratch: all zero between calls */
} column_tree_side;

/* One slot of one set. */
typedef struct column_tree_slot {
    uint32_t side;   /* of this party */
    uint32_t common; /* node */
    uint32_t level;
    column_tree_value live[COLUMN_TREE_MAX_LIVE]; /* in the order of nodes */
    uint32_t n_live;
    uint32_t borrow;
    uint32_t score; /* 0: no offer */
} column_tree_slot;

/* What this party offers for a set. */
typedef struct column_tree_offer {
    uint32_t side;
    uint32_t score; /* 0: nothing */
} column_tree_offer;

/* The part of a record while its set is being split: the index of a live value, or this. */
enum { COLUMN_TREE_IN_REST = COLUMN_TREE_MAX_LIVE };
/* In the place of a part, with pools: the record leaves the set. */
enum { COLUMN_TREE_EJECTED = UINT8_MAX };

typedef struct column_tree {
    party *party;
    const columns_task *task;
    const column_tree_recorder *recorder; /* or NULL */
    const problem *problem;               /* this party's columns */
    uint32_t k;                           /* the smallest class */
    bool conditions;                      /* models look at sensitive values, which the pivot has */
    bool naming;                          /* other parties name records that should be lent */
    class_rules rules;                    /* at the pivot, if there are conditions */
    uint32_t n_sides;
    column_tree_side *sides;
    arena *memory;
    uint32_t *members; /* [n_members] in the order of the sets; sets of pools come last */
    size_t n_members, members_room;
    uint32_t *spare; /* [n_records] scratch */
    uint8_t *joined; /* [n_records] scratch of the pivot */
    column_tree_sets open, next, classes;
    column_tree_pool *pools; /* the first one is above all sets */
    size_t n_pools, pools_room;
    uint64_t n_sets;          /* so far */
    const unsigned char *key; /* of private coins; NULL: they come from the seed */
    /* For the report. */
    uint32_t n_steps;
    uint64_t n_compared, n_lent, n_proposed, n_ejected;
} column_tree;

/* A: what this party's attribute slot->side offers for the set. */
void column_tree_offer_slot(const column_tree *w, column_tree_slot *slot, const column_tree_set *n);
/* The node that all records of the set have in common. */
uint32_t column_tree_offer_common(const column_tree *w, const column_tree_side *side,
                                  const column_tree_set *n);

/* B: owner[i], of the open set i, is the party with the highest of all offers, or
 * COLUMN_TREE_NOBODY. `receiver` learns it: a party, or SMC_ALL. KITH_PEER if the party that is
 * said to have the highest offer has made none. */
kith_status column_tree_choose(column_tree *w, uint32_t *owner, const column_tree_offer *mine,
                               uint32_t receiver, kith_error *error);

/* C, at the owner of a set for which the slot has a score: records that others named may leave, too
 * (NULL: none). branch[i] is the index of the live value of the set's record i, or
 * COLUMN_TREE_IN_REST. */
kith_status column_tree_lend(column_tree *w, uint8_t *branch, const column_tree_set *n,
                             const column_tree_slot *slot, const bool *named, kith_error *error);
/* spoils[i]: is record i of the set one of fewer than k that are rare in a slot of this party,
 * where some value has k? */
kith_status column_tree_lend_spoils(column_tree *w, bool *spoils, const column_tree_set *n,
                                    kith_error *error);
/* named[i] [size], at the owner of the open set i, if its rest borrows: which records spoil a slot
 * of some other party; NULL for other sets. */
kith_status column_tree_name(column_tree *w, const uint32_t *owner, const column_tree_offer *mine,
                             bool **named, arena *scratch, kith_error *error);
/* The generator of private choices about a set and an attribute. The caller wipes it. */
void column_tree_lend_coins(const column_tree *w, rng *coins, const column_tree_set *n,
                            uint32_t side, bool dilutes);
/* At the owner: makes the split final. Lifts the cells of lent records, and numbers the parts anew,
 * in the order of their first records, so that numbers say nothing. */
void column_tree_lend_seal(column_tree *w, uint8_t *branch, const column_tree_set *n,
                           const column_tree_slot *slot);

/* B and C where models look at sensitive values: afterwards all parties know the owners, and these
 * the branches of their sets, mine[i] [size]. */
kith_status column_tree_models(column_tree *w, uint32_t *owner, uint8_t **mine, uint32_t *side,
                               arena *scratch, kith_error *error);

/* D: sends and receives the parts of all open sets, and makes them the open sets. mine[i]: the
 * branches of set i by attribute side[i], if this party is its owner. */
kith_status column_tree_divide(column_tree *w, const uint32_t *owner, uint8_t *const *mine,
                               const uint32_t *side, kith_error *error);

/* Adds a set, of which the number is still missing: to the sets that grow, or, if it is too small
 * to be split, to the classes. */
kith_status column_tree_add(column_tree *w, column_tree_sets *growing, column_tree_set n,
                            kith_error *error);
kith_status column_tree_add_class(column_tree *w, column_tree_set n, kith_error *error);
/* Is the set large enough to be split? */
bool column_tree_grows(const column_tree *w, const column_tree_set *n);
kith_status column_tree_append(column_tree *w, column_tree_sets *to, column_tree_set n,
                               kith_error *error);

/* With pools: the first pool, above all sets. */
kith_status column_tree_pools_begin(column_tree *w, kith_error *error);
/* A pool for the parts of a set that is split. */
kith_status column_tree_pools_add(column_tree *w, const column_tree_set *n, uint32_t *pool,
                                  kith_error *error);
kith_status column_tree_pools_eject(column_tree *w, uint32_t pool, uint32_t record,
                                    kith_error *error);
/* A part of the pool's set has become a class. Once all have, the records of the pool are a new set
 * among w->next if they are k or more, else they go to the pool above, and so on. */
kith_status column_tree_pools_settle(column_tree *w, uint32_t pool, kith_error *error);
/* The records that are left in the first pool join a class. */
kith_status column_tree_pools_finish(column_tree *w, kith_error *error);

#endif
