/* The turn of one party: Algorithm 3, steps 5 to 19, by the block rule (search/turns.h). */
#ifndef PROTOCOL_ROWS_ROWS_TURN_H
#define PROTOCOL_ROWS_ROWS_TURN_H

#include "protocol/rows/rows_exchange.h"

/* What the turns of a run share. */
typedef struct rows_turn {
    rows_exchange exchange;
    uint32_t *ask;    /* [room * 3] cluster, attribute, joint node */
    uint32_t *start;  /* [block + 1] where the questions about a record begin */
    lca_query *query; /* [room] */
    uint32_t *number; /* [room] */
    size_t room;      /* block times attributes */
    bool *wanted;     /* [n_attributes] scratch */
    uint16_t *mine;   /* [stride] scratch */
} rows_turn;

kith_status rows_turn_init(rows_turn *t, rows_state *v, kith_error *error);
/* All parties call it; clusters have been arranged. */
kith_status rows_turn_run(rows_turn *t, rows_state *v, uint32_t pivot, kith_error *error);

#endif
