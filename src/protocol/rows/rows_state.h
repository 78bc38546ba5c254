/* What a party of horizontal clustering knows: sizes and closures of all clusters, and which of its
 * own records are in them.
 *
 * Invariant between steps: sizes, closures, ids and lanes of the clusters are the same at all
 * parties; member lists hold the party's own records (search/clusters.h). During a turn the pivot
 * is ahead of the others, who follow when it is over. */
#ifndef PROTOCOL_ROWS_ROWS_STATE_H
#define PROTOCOL_ROWS_ROWS_STATE_H

#include "protocol/rows/rows_trees.h"
#include "protocol/rows.h"
#include "search/cluster/sequential_rules.h"
#include "protocol/rows/site_choices.h"
#include "search/cluster/block_pass.h"

enum { HORIZONTAL_BLOCK = 256 }; /* where the study does not say */

typedef struct horizontal_view {
    party *p;
    const horizontal_task *task;
    const problem *mine;
    arena *memory;
    uint32_t n;            /* records of all parties */
    uint32_t k;            /* what sizes are aimed at */
    uint32_t l_sites;      /* every class has records of so many sites; 0: no matter */
    uint32_t m_privacy;    /* and so many, or no, records that are not of one party; 0: no matter */
    const problem *hidden; /* whose models nobody learns more of than yes or no; NULL: none */
    slots rows;            /* my records */
    problem sizes;         /* mine without models that look at values */
    admit admit, by_size;
    bool strict;     /* do clusters keep all models all the time? (finish merge) */
    census census;   /* what models look at, if any do */
    uint32_t *table; /* [table_rows * values of the census] of what was dealt last */
    size_t table_rows;
    clusters c;
    turns turns;
    sites sites;
    rng rng;               /* of my choices */
    horizontal_tree *tree; /* [attributes] */
    sites_laps laps;
    sequential_course course;
    const char *stopped;
    bool moved;                 /* has anyone moved a record in this pass? */
    uint64_t blocks, questions; /* of all parties, since all are asked */
    uint64_t paper_sums;
    paper_calls paper; /* my own visits; party 0 counts what all do together, too */
    /* Closures of my own records, by cluster, as long as I do not move any. */
    uint32_t *local;       /* [local_room * attributes] numbers of depth-first trees, or LCA_NONE */
    uint64_t *local_stamp; /* [local_room] computed at that time */
    uint32_t local_room;
    uint64_t stamp;
    uint16_t *row;  /* [stride] scratch */
    uint32_t *node; /* [attributes] scratch */
} horizontal_view;

/* Can such a problem be solved at all? n is known (step 1). */
kith_status horizontal_view_check(horizontal_view *v, kith_error *error);
/* Reads my records. */
kith_status horizontal_view_init(horizontal_view *v, kith_error *error);

static inline uint16_t *horizontal_view_closure(const horizontal_view *v, uint32_t cluster)
{
    return v->c.closure + (uint64_t)cluster * v->rows.stride;
}

/* How many numbers about sensitive values go with every cluster. */
static inline uint32_t horizontal_view_values(const horizontal_view *v)
{
    return v->c.census == NULL ? 0 : v->c.census->values;
}

/* My own records have moved, or clusters have new numbers: forget their closures. */
static inline void horizontal_view_forget(horizontal_view *v)
{
    v->stamp++;
}
/* Makes horizontal_view_local work for all clusters there are. */
kith_status horizontal_view_reserve(horizontal_view *v, kith_error *error);
/* The closure of my own records in a cluster: numbers by attribute; LCA_NONE if I have none. */
const uint32_t *horizontal_view_local(horizontal_view *v, uint32_t cluster);

#endif
