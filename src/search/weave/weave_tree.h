/* Growing a tree: splits a set of records, slot by slot, into classes that keep much in common.
 *
 * In a set, every attribute offers the slot below the level on which the set already agrees. Values
 * that at least `min_class` records of the set share become branches. What is left over is the
 * rest: a branch of its own if it is large enough, else it is ejected, or borrows records from the
 * largest branches until it is large enough. The slot that keeps most per bit of fragmentation goes
 * first; one in which no value has enough records is closed for the whole subtree. A set that no
 * slot can split is a leaf. Every leaf has at least `min_class` records and satisfies all models.
 */
#ifndef SEARCH_WEAVE_WEAVE_TREE_H
#define SEARCH_WEAVE_WEAVE_TREE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/rng.h"
#include "search/class_rules.h"
#include "search/slots/slots.h"

/* A run of records in a list. */
typedef struct segment {
    uint32_t first, size;
} segment;

/* How slots are ranked, see weave_offer.h. */
typedef struct weave_tree_style {
    bool borrow; /* small rests borrow where that is cheaper than ejecting them */
    double
        rest_share; /* ejecting: what a split with a large rest is worth, relative to one without */
    double eject;   /* borrowing: price of an ejected record, in attributes lost */
    double keep;    /* share of a set that must stay where the models make branches smaller */
    double noise;   /* scores are multiplied by a random number of 1 +- noise/2 */
} weave_tree_style;

/* A set that waits to be grown: its open slots are open[0 … n_open-1]. */
typedef struct weave_node {
    segment set;
    uint32_t n_open;
    uint32_t *open;
} weave_node;

typedef struct segments {
    segment *items;
    uint32_t count, capacity;
} segments;

/* Scratch space for growing, used by one thread at a time. */
typedef struct weave_tree {
    const slots *slots;
    const class_rules *rules;
    uint32_t min_class;
    arena *memory;
    bool failed;             /* memory ran out: the result is worthless */
    const atomic_bool *stop; /* once it is set all sets become leaves; may be NULL */

    weave_tree_style style;
    rng *rng;
    uint32_t *members; /* the records being split, reordered in place */
    segments leaf;     /* result, ascending */

    uint32_t **count;  /* [slots][n_ids] histograms; all zero between nodes */
    uint16_t **seen;   /* [slots][n_ids] ids with a count, in order of first sight */
    uint32_t *n_seen;  /* [slots] */
    uint32_t *spare;   /* [max_records n_records] */
    uint32_t *dropped; /* [max_records n_records] scratch where models have conditions */
    uint8_t *rarity;   /* [max_records n_records] */
    uint16_t *closure;
    uint32_t *open;        /* [slots + 2][width] open slots of the nodes on the path */
    uint32_t width;        /* attributes that have slots */
    double whole;          /* what an attribute costs when it is lost altogether, on average */
    segments branch;       /* stack of branches to be grown */
    uint32_t *single_slot; /* [width] */
    uint16_t *single_id;   /* [width] */
    double *xlogx;         /* [XLOGX] x log2 x */

    uint32_t cut; /* sets smaller than this are put off; 0: none */
    weave_node *put_off;
    uint32_t n_put_off, put_off_capacity;
} weave_tree;

/* For sets of up to `max_records` records. Lives in `memory`, which must not be used by others
 * while the tree is being grown. */
kith_status weave_tree_init(weave_tree *t, const slots *s, const class_rules *a, uint32_t min_class,
                            uint32_t max_records, arena *memory, kith_error *error);

/* Grows the tree of a set that is itself fit to be a class. Afterwards t->leaf has the classes as
 * segments of `members`, reordered; records of no segment are ejected. With a `cut` the sets below
 * that size are left in t->put_off, to be grown by weave_tree_resume, in any order and thread.
 * `r` may be NULL without noise. */
void weave_tree_grow(weave_tree *t, uint32_t *members, uint32_t size, const weave_tree_style *style,
                     rng *r, uint32_t cut);
/* Grows a set that another tree has put off, adding to t->leaf. */
void weave_tree_resume(weave_tree *t, uint32_t *members, const weave_node *node,
                       const weave_tree_style *style);

#endif
