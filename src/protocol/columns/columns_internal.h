/* What the parts of columnwise share. */
#ifndef PROTOCOL_COLUMNS_COLUMNS_INTERNAL_H
#define PROTOCOL_COLUMNS_COLUMNS_INTERNAL_H

#include "core/rng.h"
#include "search/class_rules.h"
#include "protocol/columns/columns_sequential.h"
#include "search/random_split.h"

/* Told about a record, instead of a cluster. */
#define COLUMNWISE_STAYS UINT32_MAX
#define COLUMNWISE_PUT_OFF (UINT32_MAX - 1)

typedef struct columnwise {
    const problem *p;
    const search_spec *spec;
    const columnwise_link *link;
    context *run;
    columnwise_result *result;
    arena *memory; /* of this start */
    bool decides;  /* this party is the pivot; only then are admit, spread and rng there */
    admit admit;
    spread spread;
    rng rng;
    bool conditions; /* some model looks at more than size */
    uint32_t aim;    /* K */
    column_clusters c;
    column_prices prices;
    int64_t *value; /* [value_room] prices */
    size_t value_room;
    uint64_t *touched; /* [touched_room] by cluster: the block in which it was last touched */
    uint32_t touched_room;
    uint64_t block_number;
    uint32_t block;      /* records of the next one, at most */
    uint32_t *record;    /* [records] of the present block, after it those put off */
    uint32_t *decision;  /* [records] of the present block */
    uint32_t *scratch;   /* [records] */
    unsigned char *half; /* [records] */
    uint32_t moves;      /* of the last pass */
    uint32_t passes;     /* for progress */
} columnwise;

/* Tells, and tells nobody where there is one party only. */
kith_status columnwise_tell(columnwise *w, columnwise_topic topic, void *bytes, size_t length,
                            kith_error *error);
/* Adds up w->value[0 … n-1]. */
kith_status columnwise_sum(columnwise *w, columnwise_topic topic, size_t n, kith_error *error);
kith_status columnwise_refuse(const columnwise *w, columnwise_topic topic, kith_error *error);
/* Room for n prices in w->value. */
kith_status columnwise_room(columnwise *w, uint64_t n, kith_error *error);

/* Begins a block: nothing is touched. */
kith_status columnwise_begin(columnwise *w, kith_error *error);
static inline bool columnwise_is_touched(const columnwise *w, uint32_t cluster)
{
    return w->touched[cluster] == w->block_number;
}
static inline void columnwise_touch(columnwise *w, uint32_t cluster)
{
    w->touched[cluster] = w->block_number;
}
/* In use? */
static inline bool columnwise_lives(const columnwise *w, uint32_t cluster)
{
    return cluster < w->c.used && w->c.size[cluster] > 0;
}

/* Step 2: one pass over the records of clusters of more than `keep` records. */
kith_status columnwise_pass(columnwise *w, uint32_t keep, kith_error *error);
/* Cost of all clusters, at the pivot. */
kith_status columnwise_cost(columnwise *w, int64_t *cost, kith_error *error);
/* Is that too little of a gain to go on, by steps 4 and 5? */
bool columnwise_is_little(const columnwise *w, int64_t before, int64_t now);
/* Passes without splits until step 5 is done with them. */
kith_status columnwise_polish(columnwise *w, kith_error *error);

/* Step 5. */
kith_status columnwise_merge(columnwise *w, kith_error *error);
kith_status columnwise_hybrid(columnwise *w, kith_error *error);

#endif
