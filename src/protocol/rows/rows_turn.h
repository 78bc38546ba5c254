/* The turn of one party, the pivot: SDC Algorithm 3, steps 5 to 19, by the block rule
 * (search/cluster/block_pass.h). */
#ifndef PROTOCOL_ROWS_ROWS_TURN_H
#define PROTOCOL_ROWS_ROWS_TURN_H

#include "protocol/rows/rows_exchange.h"
#include "protocol/rows/rows_padding.h"

/* The questions of one block, as all parties see them: one for each attribute in which the joint
 * closure of a cluster may change if a record leaves. The arrays are made once. */
typedef struct rows_turn {
    rows_exchange exchange; /* the clusters before the turn */
    uint32_t *ask;          /* [room * 3] cluster, attribute, joint node */
    rows_question *entries; /* [block] what the questions are about (pivot only) */
    uint32_t n_entries;
    uint32_t *start;  /* [block + 1] where the questions about an entry begin (pivot only) */
    lca_query *query; /* [room] */
    uint32_t *number; /* [room] numbers of this party's own nodes */
    uint32_t *answer; /* [room] numbers of the joint nodes without the record (pivot only) */
    size_t room;      /* block times attributes */
    bool *wanted;     /* [n_attributes] scratch */
    uint16_t *mine;   /* [stride] scratch */
} rows_turn;

kith_status rows_turn_init(rows_turn *t, rows_state *v, kith_error *error);
/* All parties call it at the same time; clusters have been arranged. */
kith_status rows_turn_run(rows_turn *t, rows_state *v, uint32_t pivot, kith_error *error);

#endif
