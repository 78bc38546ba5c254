/* The state of a party in clustering over rows: sizes and closures of all clusters, and which of
 * the party's own records are in them.
 *
 * Invariants between steps (rows_state_check):
 * - Sizes, closures, ids and lanes of the clusters are the same at all parties; the sizes add up
 *   to n. Member lists hold the party's own records (search/cluster/clusters.h).
 * - The joint closure of a cluster covers the party's own records in it.
 * During a turn the pivot is ahead of the others, who follow when it is over. */
#ifndef PROTOCOL_ROWS_ROWS_STATE_H
#define PROTOCOL_ROWS_ROWS_STATE_H

#include "core/check.h"
#include "protocol/joint_rules/joint_tree_rules.h"
#include "protocol/rows.h"
#include "protocol/rows/rows_clustering.h"
#include "protocol/rows/rows_trees.h"
#include "protocol/rows/site_choices.h"
#include "search/cluster/block_pass.h"
#include "search/sequential_rules.h"

enum { ROWS_BLOCK = 256 }; /* questions in a block where the study does not say */

/* What the models ask for: set before the first clusters are made. */
typedef struct rows_models {
    class_rules rules;   /* all models of `mine` */
    problem sizes;       /* `mine` without models that look at values, */
    class_rules by_size; /* and the rules of that */
    bool strict;         /* clusters keep all models all the time (finish merge) */
    uint32_t min_known;  /* closures of smaller clusters are withheld; 0: none are */
    value_counts value_counts;
    uint32_t *table;     /* [n_table_rows * value_counts.n_values] counts of all parties by part */
    size_t n_table_rows; /* room of the table */
    /* Checked, and repaired, only in the end (rows_repair.h): */
    uint32_t l_sites;      /* every class has records of this many sites; 0: off */
    uint32_t m_privacy;    /* minimum of records of other parties in a class, unless none; 0: off */
    uint32_t other_values; /* and of their different values, of attributes that are counted */
    const problem *hidden; /* with the models that are checked privately; NULL: none */
    /* All models of persons, sites among them; then nothing above is asked for. NULL: records count
     * for themselves. */
    joint_tree_rules *persons;
} rows_models;

/* The passes: where they are, and whether they go on. */
typedef struct rows_pass {
    site_choices_laps laps;   /* the records that I visit in my next turn */
    sequential_course course; /* the stop rule */
    const char *stopped;      /* why the passes have ended; NULL: they have not */
    bool moved;               /* has any party moved a record in this pass? */
} rows_pass;

/* Counters for the report; they only grow. */
typedef struct rows_totals {
    uint64_t n_blocks, n_questions; /* of all parties, since every party answers */
    uint64_t n_visited, n_put_off;  /* my own records, in starts that have ended */
    uint64_t n_paper_sums;
    paper_calls paper; /* my own visits; party 0 also counts what all do together */
} rows_totals;

/* Sets that this party has heard of since its ledger was last told (rows_heard.h). */
typedef struct rows_heard {
    uint64_t n_one_foreign; /* with exactly one record of another site, */
    uint64_t n_single;      /* and none of its own */
} rows_heard;

/* A cache, valid until my records move or clusters are renumbered: the closures of my own records
 * by cluster. */
typedef struct rows_own_closures {
    uint32_t *nodes;  /* [room * n_attributes] numbers of depth-first trees, or LCA_NONE */
    uint64_t *stamps; /* [room] an entry is valid if this is `now` */
    uint32_t room;
    uint64_t now;
} rows_own_closures;

typedef struct rows_state {
    /* The run. */
    party *p;
    const rows_task *task;
    const problem *mine; /* my records; checks in the beginning may replace the task's problem */
    arena *memory;
    uint32_t n; /* records of all parties */
    uint32_t k; /* the sizes aimed at: k, or more where the models need it */
    rows_models models;
    slots rows;       /* my records */
    rows_tree *trees; /* [n_attributes] */
    rng rng;          /* of my choices */
    rng padding;      /* keys of invented questions (rows_padding.h) */
    clusters c;
    site_choices site_choices;
    block_pass block_pass; /* has parts with the lifetimes of a turn and of a block */
    rows_totals totals;
    rows_heard heard;
    const rows_recorder *recorder; /* NULL: none */
    /* A start: `memory` is its own then. */
    uint32_t start;
    int64_t best_cost; /* of the starts before */
    /* A pass. */
    rows_pass pass;
    /* Between two moves. */
    rows_own_closures own;
    /* Within a function. */
    uint16_t *row;  /* [stride] scratch */
    uint32_t *node; /* [n_attributes] scratch */
} rows_state;

/* Computes k. KITH_INVALID or KITH_INFEASIBLE if clustering over rows does not serve the task; n is
 * known (step 1). */
kith_status rows_state_accept_task(rows_state *v, kith_error *error);
/* Reads my records and checks what the models ask for. */
kith_status rows_state_init(rows_state *v, kith_error *error);
/* Prepares for first clusters, those of a start before forgotten. Choices go on where they were,
 * and so do laps: a site that draws anew how many of its records it visits would show their number.
 */
kith_status rows_state_begin(rows_state *v, kith_error *error);

static inline uint16_t *rows_state_closure(const rows_state *v, uint32_t cluster)
{
    return clusters_closure(&v->c, cluster);
}

/* How many counts of sensitive values every cluster has; 0: values are not counted. */
static inline uint32_t rows_state_values(const rows_state *v)
{
    return v->c.value_counts == NULL ? 0 : v->c.value_counts->n_values;
}

/* My own records have moved, or clusters have new numbers: clears the cache of their closures. */
static inline void rows_state_forget(rows_state *v)
{
    v->own.now++;
}
/* Makes room in the cache for all clusters that there are. */
kith_status rows_state_reserve(rows_state *v, kith_error *error);
/* The closure of my own records in a cluster: numbers by attribute; LCA_NONE if I have none. */
const uint32_t *rows_state_local(rows_state *v, uint32_t cluster);

#if KITH_DEBUG
/* Aborts unless the invariants hold. */
void rows_state_check(const rows_state *v);
#endif

#endif
