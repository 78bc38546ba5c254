/* Growing a tree: splits a set of records, slot by slot, into classes that keep much in common.
 *
 * In a set, every attribute offers the slot below the level on which the set already agrees. Values
 * that at least `min_class` records of the set share are live: they become branches. All other
 * records are the rest: a branch of its own if it is large enough; otherwise it is ejected, or
 * borrows records from the largest branches until it is large enough. The slot that keeps most per
 * bit of fragmentation splits first; a slot without a live value is closed for the whole subtree. A
 * set that no slot can split is a leaf. Every leaf has at least `min_class` records and satisfies
 * all models.
 */
#ifndef SEARCH_WEAVE_WEAVE_TREE_H
#define SEARCH_WEAVE_WEAVE_TREE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/rng.h"
#include "search/class_rules.h"
#include "search/slots/slots.h"

/* Some records that follow each other in a list. */
typedef struct segment {
    uint32_t first, size;
} segment;

typedef struct segments {
    segment *items;
    uint32_t count, capacity;
} segments;

/* How slots are ranked, see weave_score.h. */
typedef struct weave_tree_style {
    bool borrow;       /* small rests borrow where that is cheaper than ejecting them */
    double rest_share; /* if rests do not borrow: what a split with a large rest is worth, relative
                        * to one without */
    double eject;      /* if rests borrow: price of an ejected record, in attributes lost */
    double keep;  /* share of a set that a split must keep where models make branches smaller */
    double noise; /* scores are multiplied by a random number of 1 +- noise/2 */
} weave_tree_style;

/* A set that waits to be grown, with its open slots. */
typedef struct weave_node {
    segment set;
    uint32_t n_open;
    uint32_t *open; /* [n_open] */
} weave_node;

typedef struct weave_nodes {
    weave_node *items;
    uint32_t count, capacity;
} weave_nodes;

/* How many records of a set have each id of each open slot. Invariant: all zero between sets. */
typedef struct weave_histograms {
    uint32_t **count; /* [slots][n_ids] */
    uint16_t **seen;  /* [slots][n_ids] ids with a count, in order of first sight */
    uint32_t *n_seen; /* [slots] */
} weave_histograms;

/* Slots of a set with one live value and a small rest. */
typedef struct weave_singles {
    uint32_t count;
    uint32_t *slots; /* [width] */
    uint16_t *ids;   /* [width] the live value of each */
} weave_singles;

/* Scratch space for growing, used by one thread at a time; grouped by lifetime. */
typedef struct weave_tree {
    /* Fixed by weave_tree_init. */
    const slots *slots;
    const class_rules *rules;
    uint32_t min_class;
    arena *memory;
    const atomic_bool *stop; /* once it is set, all sets become leaves; may be NULL */
    uint32_t width;          /* attributes that have slots: the largest number of open slots */
    double whole;            /* what an attribute costs when it is lost completely, on average */
    double *xlogx;           /* [WEAVE_XLOGX] x log2 x */

    /* Arguments and results of one call. */
    weave_tree_style style;
    rng *rng;
    uint32_t *members; /* the records, reordered in place */
    uint32_t cut;      /* sets smaller than this are put off; 0: none */
    segments leaves;   /* the classes; ascending, unless sets were put off */
    weave_nodes put_off;
    bool failed; /* memory ran out: the result is worthless */

    /* The path from the root to the set that is being split. */
    uint32_t *open;    /* [slots + 1][width] open slots of the sets on the path */
    segments branches; /* stack of branches to be grown */

    /* One set. */
    weave_histograms values;
    weave_singles singles;
    uint32_t *spare;   /* [max_records] */
    uint32_t *dropped; /* [max_records] used where models have conditions */
    uint8_t *rarity;   /* [max_records] see weave_score_lend */
    uint16_t *closure; /* [stride] */
} weave_tree;

/* For sets of up to `max_records` records. Lives in `memory`, which must not be used by others
 * while the tree is being grown. */
kith_status weave_tree_init(weave_tree *t, const slots *s, const class_rules *a, uint32_t min_class,
                            uint32_t max_records, arena *memory, kith_error *error);

/* Grows the tree of a set that may itself be a class. Afterwards t->leaves has the classes as
 * segments of `members`, reordered; records of no segment are ejected. With a `cut` the sets below
 * that size are left in t->put_off, to be grown by weave_tree_resume, in any order and by any
 * thread. `r` may be NULL if there is no noise. */
void weave_tree_grow(weave_tree *t, uint32_t *members, uint32_t size, const weave_tree_style *style,
                     rng *r, uint32_t cut);
/* Grows a set that another tree has put off, and adds to t->leaves. */
void weave_tree_resume(weave_tree *t, uint32_t *members, const weave_node *node,
                       const weave_tree_style *style);

#endif
