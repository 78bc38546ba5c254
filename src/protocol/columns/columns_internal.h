/* What the parts of columnwise share. */
#ifndef PROTOCOL_COLUMNS_COLUMNS_INTERNAL_H
#define PROTOCOL_COLUMNS_COLUMNS_INTERNAL_H

#include "core/rng.h"
#include "search/class_rules.h"
#include "protocol/columns/columns_sequential.h"
#include "search/random_split.h"

/* Told about a record, instead of a cluster. */
#define COLUMNS_STAYS UINT32_MAX
#define COLUMNS_PUT_OFF (UINT32_MAX - 1)

typedef struct columns_state {
    const problem *p;
    const search_spec *spec;
    const columns_link *link;
    context *run;
    columns_sequential_result *result;
    arena *memory; /* of this start */
    bool decides;  /* this party is the pivot; only then are admit, spread and rng there */
    class_rules rules;
    random_split split;
    rng rng;
    bool conditions; /* some model looks at more than size */
    uint32_t aim;    /* K */
    columns_clusters c;
    columns_prices prices;
    int64_t *value; /* [value_room] prices */
    size_t value_room;
    uint64_t *touched; /* [touched_room] by cluster: the block in which it was last touched */
    uint32_t touched_room;
    uint64_t block_number;
    uint32_t block;      /* records of the next one, at most */
    uint32_t *record;    /* [n_records] of the present block, after it those put off */
    uint32_t *decision;  /* [n_records] of the present block */
    uint32_t *scratch;   /* [n_records] */
    unsigned char *half; /* [n_records] */
    uint32_t n_moves;    /* of the last pass */
    uint32_t n_passes;   /* for progress */
} columns_state;

/* Tells, and tells nobody where there is one party only. */
kith_status columns_sequential_broadcast(columns_state *w, columns_topic topic, void *bytes,
                                         size_t length, kith_error *error);
/* Adds up w->value[0 … n-1]. */
kith_status columns_sequential_sum(columns_state *w, columns_topic topic, size_t n,
                                   kith_error *error);
kith_status columns_sequential_refuse(const columns_state *w, columns_topic topic,
                                      kith_error *error);
/* Room for n prices in w->value. */
kith_status columns_sequential_reserve(columns_state *w, uint64_t n, kith_error *error);

/* Begins a block: nothing is touched. */
kith_status columns_sequential_begin_block(columns_state *w, kith_error *error);
static inline bool columns_is_touched(const columns_state *w, uint32_t cluster)
{
    return w->touched[cluster] == w->block_number;
}
static inline void columns_touch(columns_state *w, uint32_t cluster)
{
    w->touched[cluster] = w->block_number;
}
/* In use? */
static inline bool columns_in_use(const columns_state *w, uint32_t cluster)
{
    return cluster < w->c.used && w->c.size[cluster] > 0;
}

/* Step 2: one pass over the records of clusters of more than `keep` records. */
kith_status columns_pass(columns_state *w, uint32_t keep, kith_error *error);
/* Cost of all clusters, at the pivot. */
kith_status columns_pass_total_cost(columns_state *w, int64_t *cost, kith_error *error);
/* Is that too little of a gain to go on, by steps 4 and 5? */
bool columns_pass_gain_is_small(const columns_state *w, int64_t before, int64_t now);
/* Passes without splits until step 5 is done with them. */
kith_status columns_pass_polish(columns_state *w, kith_error *error);

/* Step 5. */
kith_status columns_merge(columns_state *w, kith_error *error);
kith_status columns_hybrid(columns_state *w, kith_error *error);

#endif
