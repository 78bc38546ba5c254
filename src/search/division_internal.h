/* Inside division: the plan, and the counts from which it is made. */
#ifndef SEARCH_DIVISION_INTERNAL_H
#define SEARCH_DIVISION_INTERNAL_H

#include "search/class_rules.h"
#include "search/division.h"

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
    uint32_t n_attributes;
    const tree **trees; /* [n_attributes] */
    division_node *nodes;
    uint32_t n_nodes, capacity;
    uint32_t n_pieces;
    uint32_t *node_of_piece; /* [n_pieces] */
};

/* Where a record with this cell goes. */
static inline uint32_t division_follow(const division_split *s, const tree *t, uint32_t cell)
{
    const bool below = t->level[cell] <= s->level;
    return s->to[below ? tree_up(t, t->first[cell], s->level) - s->first_child : s->n_children];
}

/* division.c: how far the plan leads record i of the block by now. */
uint32_t division_reach(const division *d, const record_block *block, uint32_t i);

/* What a group of records shows to the models. */
typedef struct division_group {
    uint64_t size;
    uint64_t *counts;  /* of the sensitive values that conditions look at, one attribute after the
                        * other; NULL without conditions */
    uint32_t *closure; /* [n_attributes]; NULL unless conditions look at closures */
} division_group;

/* A set that is being split. */
typedef struct division_set {
    uint32_t node;
    uint64_t *counts;       /* [nodes of all trees] records below each node */
    division_split *offers; /* [n_attributes] without `to` */
    double *scores;         /* [n_attributes] of the offers; 0: does not split the set */
    division_split split;   /* the offer under trial: leads to groups */
    division_group *groups; /* [n_groups] its own; `split.to` counts from the first one */
    uint32_t n_groups, capacity;
    uint32_t first_group; /* its place among the groups that are being counted */
} division_set;

/* What several sets have in common while they are split. */
typedef struct division_work {
    division *plan;
    const problem *p;
    uint32_t min_class, limit;
    const record_scan *scan;
    context *context;
    class_rules rules;
    uint32_t n_counts;     /* nodes of all trees */
    uint32_t *first_count; /* [n_attributes] where the counts of each tree begin */
    uint32_t n_values;     /* sensitive values that conditions look at */
    uint32_t *value_count; /* [n_values] scratch: what `view` shows to the models */
    histogram *view;       /* [n_sensitive] */
    uint32_t *open; /* [capacity] nodes that are too large; those before `next_open` are done */
    uint32_t n_open, next_open, open_capacity;
    arena *memory; /* lives until the plan is complete */
} division_work;

/* division_scan.c: counts the nodes of all trees in all sets, and of all ranks. The slots of the
 * sets' nodes are their places. */
kith_status division_scan_sets(const division_work *w, division_set *sets, uint32_t n_sets,
                               arena *memory, kith_error *error);
/* division_scan.c: fills counts and closures of the groups of all sets. */
kith_status division_scan_groups(const division_work *w, division_set *sets, uint32_t n_sets,
                                 arena *memory, kith_error *error);

#endif
