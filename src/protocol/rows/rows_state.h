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
#include "search/sequential_rules.h"
#include "protocol/rows/site_choices.h"
#include "search/cluster/block_pass.h"

enum { ROWS_BLOCK = 256 }; /* where the study does not say */

typedef struct rows_state {
    party *p;
    const rows_task *task;
    const problem *mine;
    arena *memory;
    uint32_t n;            /* records of all parties */
    uint32_t k;            /* what sizes are aimed at */
    uint32_t l_sites;      /* every class has records of so many sites; 0: no matter */
    uint32_t m_privacy;    /* and so many, or no, records that are not of one party; 0: no matter */
    const problem *hidden; /* whose models nobody learns more of than yes or no; NULL: none */
    slots rows;            /* my records */
    problem sizes;         /* mine without models that look at values */
    class_rules rules, by_size;
    bool strict;               /* do clusters keep all models all the time? (finish merge) */
    value_counts value_counts; /* what models look at, if any do */
    uint32_t *table; /* [n_table_rows * n_values of the value_counts] of what was dealt last */
    size_t n_table_rows;
    clusters c;
    block_pass block_pass;
    site_choices site_choices;
    rng rng;         /* of my choices */
    rows_tree *tree; /* [n_attributes] */
    site_choices_laps laps;
    sequential_course course;
    const char *stopped;
    bool moved;                     /* has anyone moved a record in this pass? */
    uint64_t n_blocks, n_questions; /* of all parties, since all are asked */
    uint64_t n_paper_sums;
    paper_calls paper; /* my own visits; party 0 counts what all do together, too */
    /* Closures of my own records, by cluster, as long as I do not move any. */
    uint32_t *local; /* [local_room * n_attributes] numbers of depth-first trees, or LCA_NONE */
    uint64_t *local_stamp; /* [local_room] computed at that time */
    uint32_t local_room;
    uint64_t stamp;
    uint16_t *row;  /* [stride] scratch */
    uint32_t *node; /* [n_attributes] scratch */
} rows_state;

/* Can such a problem be solved at all? n is known (step 1). */
kith_status rows_state_check(rows_state *v, kith_error *error);
/* Reads my records. */
kith_status rows_state_init(rows_state *v, kith_error *error);

static inline uint16_t *rows_state_closure(const rows_state *v, uint32_t cluster)
{
    return v->c.closure + (uint64_t)cluster * v->rows.stride;
}

/* How many numbers about sensitive values go with every cluster. */
static inline uint32_t rows_state_values(const rows_state *v)
{
    return v->c.value_counts == NULL ? 0 : v->c.value_counts->n_values;
}

/* My own records have moved, or clusters have new numbers: forget their closures. */
static inline void rows_state_forget(rows_state *v)
{
    v->stamp++;
}
/* Makes rows_state_local work for all clusters there are. */
kith_status rows_state_reserve(rows_state *v, kith_error *error);
/* The closure of my own records in a cluster: numbers by attribute; LCA_NONE if I have none. */
const uint32_t *rows_state_local(rows_state *v, uint32_t cluster);

#endif
