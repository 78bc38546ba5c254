/* Inside division: the plan, and the counts from which it is made. */
#ifndef SEARCH_RECORDS_DIVISION_INTERNAL_H
#define SEARCH_RECORDS_DIVISION_INTERNAL_H

#include "search/class_rules.h"
#include "search/records/division.h"

#define DIVISION_NONE UINT32_MAX

/* A split: by the children of the node on which a set agrees in an attribute. */
typedef struct division_split {
    uint32_t attribute;
    uint32_t level;       /* of the children */
    uint32_t first_child; /* they follow each other */
    uint32_t n_children;
    uint32_t *to; /* [n_children + 1] where the records below each child go; last: wildcards, and
                   * all other records that are below none of them. Ascending. NULL: no split */
} division_split;

/* A set of records. */
typedef struct division_node {
    uint64_t size;
    division_split split; /* leads to other nodes, which follow each other */
    uint32_t n_below;
    uint32_t slot;  /* its place among the sets that are being counted, or DIVISION_NONE */
    uint32_t piece; /* its number if it is one, once the plan is complete */
} division_node;

struct division {
    bool fits; /* all records may be one piece */
    uint32_t n_attributes;
    const tree **trees; /* [n_attributes] */
    division_node *nodes;
    uint32_t n_nodes, capacity;
    uint32_t n_pieces;
    uint32_t *node_of_piece; /* [n_pieces] */
};

/* Which child of the split a cell is below; n_children: none. */
static inline uint32_t division_child(const division_split *s, const tree *t, uint32_t cell)
{
    uint32_t leaf = cell;
    if (cell >= t->n_leaves) { /* most cells are leaves, which need no look at the tree */
        if (t->level[cell] > s->level)
            return s->n_children;
        leaf = t->first[cell];
    }
    const uint32_t child = tree_up(t, leaf, s->level) - s->first_child;
    return child < s->n_children ? child : s->n_children;
}

/* Where a record with this cell goes. */
static inline uint32_t division_follow(const division_split *s, const tree *t, uint32_t cell)
{
    return s->to[division_child(s, t, cell)];
}

/* division.c: how far the plan leads record i of the block by now. */
uint32_t division_reach(const division *d, const record_block *block, uint32_t i);

/* What a group of records shows to the models. */
typedef struct division_group {
    uint64_t size;
    uint64_t *counts;  /* of the sensitive values that conditions look at, one attribute after the
                        * other; NULL without conditions */
    uint32_t *closure; /* [n_attributes]; NULL unless conditions look at closures */
    /* Where units are counted, which do not add up: the records of this process, or those whose
     * units it counts (unit_homes.h); those of neighbours one after the other. */
    uint32_t *members;
    uint32_t n_members;
} division_group;

/* A set that is being split. In every attribute it is counted below the node that its records are
 * known to have in common, and no lower: with large trees most sets need few counts. */
typedef struct division_set {
    uint32_t node;
    uint32_t *common;       /* [n_attributes] */
    division_split *offers; /* [n_attributes] without `to`; no children: nothing to split */
    uint64_t **counts;      /* [n_attributes][n_children + 1] of the offers; last: below no child;
                             * NULL: not counted yet */
    double *scores;         /* [n_attributes] of the offers; 0: does not split the set */
    division_split split;   /* the offer under trial: leads to groups */
    division_group *groups; /* [n_groups] its own; `split.to` counts from the first one */
    uint32_t n_groups, capacity;
    uint32_t first_group; /* its place among the groups that are being counted */
} division_set;

/* A set that is still to be split. */
typedef struct division_open {
    uint32_t node;
    const uint32_t *common; /* [n_attributes] nodes that cover all its records */
} division_open;

/* What several sets have in common while they are split. */
typedef struct division_work {
    division *plan;
    const problem *p;
    uint32_t min_class, limit;
    const record_scan *scan;
    context *context;
    class_rules rules;
    class_counts *counts;  /* of units */
    problem *counted;      /* over ranks: the records in which they are counted */
    uint32_t n_values;     /* sensitive values that conditions look at */
    uint32_t *value_count; /* [n_values] scratch: what `view` shows to the models */
    histogram *view;       /* [n_sensitive] */
    division_open *open;   /* [open_capacity] those before `next_open` are done */
    uint32_t n_open, next_open, open_capacity;
    arena *memory; /* lives until the plan is complete */
} division_work;

/* division_offer.c: says which node covers all records of the set in an attribute; what is below it
 * is not counted yet. */
void division_set_common(const division_work *w, division_set *set, uint32_t a, uint32_t node);
/* division_offer.c: rates the offers of all attributes, once all is counted. */
void division_rate_offers(const division_work *w, division_set *set);
/* division_offer.c: the offer with the best score; NULL: none splits the set. */
const division_split *division_best_offer(const division_work *w, const division_set *set);

/* division_scan.c: how many counts the set does not have yet; 0: all are there. */
uint64_t division_counts_wanted(const division_work *w, const division_set *set);
/* division_scan.c: fills the counts that sets do not have yet, of the records of all ranks. Where
 * these have a lower node in common than was known, `common` becomes that node, and its counts are
 * wanted: one more scan at most. */
kith_status division_scan_sets(const division_work *w, division_set *sets, uint32_t n_sets,
                               arena *memory, kith_error *error);
/* division_scan.c: fills counts and closures of the groups of all sets. */
kith_status division_scan_groups(const division_work *w, division_set *sets, uint32_t n_sets,
                                 arena *memory, kith_error *error);

#endif
