/* The state of sequential clustering, shared by the files of this room. */
#ifndef PROTOCOL_COLUMNS_COLUMNS_INTERNAL_H
#define PROTOCOL_COLUMNS_COLUMNS_INTERNAL_H

#include "core/check.h"
#include "core/rng.h"
#include "search/class_rules.h"
#include "protocol/columns/columns_sequential.h"
#include "search/random_split.h"

/* Told about a record, instead of a cluster. */
#define COLUMNS_STAYS UINT32_MAX
#define COLUMNS_PUT_OFF (UINT32_MAX - 1)

/* What all starts of a run share. */
typedef struct columns_run {
    const problem *problem;
    const search_spec *spec;
    const columns_link *link;
    context *context;
    columns_sequential_result *result;
    bool is_pivot;
    bool has_conditions; /* some model looks at more than size */
    uint32_t min_size;   /* K */
} columns_run;

/* What the pivot alone has; zero elsewhere. */
typedef struct columns_pivot {
    class_rules rules;
    random_split split;
    rng rng;
} columns_pivot;

/* The records that are decided together. */
typedef struct columns_block {
    uint64_t number;     /* of the present block; 0: none yet */
    uint32_t limit;      /* records of the next block, at most */
    uint32_t *records;   /* [n_records] of the present block */
    uint32_t *decisions; /* [n_records] a cluster, COLUMNS_STAYS or COLUMNS_PUT_OFF for each */
    uint64_t *touched;   /* [touched_room] by cluster: the block in which it was last touched */
    uint32_t touched_room;
} columns_block;

/* One start, from step 1 to step 29. */
typedef struct columns_state {
    const columns_run *run;
    arena *memory; /* of this start */
    columns_pivot pivot;
    columns_clusters c;
    columns_prices prices;
    int64_t *value; /* [value_room] prices of this party, then their sums */
    size_t value_room;
    columns_block block;
    uint32_t *scratch;   /* [n_records] */
    unsigned char *half; /* [n_records] */
    uint32_t n_moves;    /* of the last pass */
    uint64_t n_put_off;  /* in this pass, times that a record was put off */
    uint32_t n_passes;   /* for progress */
} columns_state;

/* Tells all others what the pivot has in `bytes`. Does nothing if there is one party only. */
kith_status columns_sequential_broadcast(const columns_run *run, columns_topic topic, void *bytes,
                                         size_t length, kith_error *error);
/* Adds up w->value[0 … n-1]. */
kith_status columns_sequential_sum(columns_state *w, columns_topic topic, size_t n,
                                   kith_error *error);
/* Blames the pivot for an invalid message. */
kith_status columns_sequential_refuse(const columns_run *run, columns_topic topic,
                                      kith_error *error);
/* Makes room for n prices in w->value; its old contents are lost. */
kith_status columns_sequential_reserve(columns_state *w, uint64_t n, kith_error *error);

/* Begins a block, in which no cluster is touched yet. */
kith_status columns_sequential_begin_block(columns_state *w, kith_error *error);
static inline bool columns_is_touched(const columns_state *w, uint32_t cluster)
{
    ASSERT(cluster < w->block.touched_room);
    return w->block.touched[cluster] == w->block.number;
}
static inline void columns_touch(columns_state *w, uint32_t cluster)
{
    ASSERT(cluster < w->block.touched_room);
    w->block.touched[cluster] = w->block.number;
}
/* `cluster` may be any number that a peer sent. */
static inline bool columns_in_use(const columns_state *w, uint32_t cluster)
{
    return cluster < w->c.used && w->c.size[cluster] > 0;
}

/* Steps 3 to 17: one pass over the records of clusters of more than `keep` records. */
kith_status columns_pass(columns_state *w, uint32_t keep, kith_error *error);
/* The cost of all clusters in all columns, valid at the pivot only. */
kith_status columns_pass_total_cost(columns_state *w, int64_t *cost, kith_error *error);
/* Did the cost fall by so little that passes end (step 22)? */
bool columns_pass_gain_is_small(const columns_state *w, int64_t before, int64_t now);
/* The passes at the end of the hybrid finish. */
kith_status columns_pass_polish(columns_state *w, kith_error *error);

/* Steps 23 to 29, by the study's finish. */
kith_status columns_merge(columns_state *w, kith_error *error);
kith_status columns_hybrid(columns_state *w, kith_error *error);

#endif
