/* The turn of one party: Algorithm 3, steps 5 to 19, by the block rule (search/turns.h). */
#ifndef PROTOCOL_ROWS_ROWS_TURN_H
#define PROTOCOL_ROWS_ROWS_TURN_H

#include "protocol/rows/rows_exchange.h"

/* What the turns of a run share. */
typedef struct horizontal_turn {
    horizontal_known known;
    uint32_t *ask;    /* [room * 3] cluster, attribute, joint node */
    uint32_t *start;  /* [block + 1] where the questions about a record begin */
    lca_query *query; /* [room] */
    uint32_t *number; /* [room] */
    size_t room;      /* block times attributes */
    bool *wanted;     /* [attributes] scratch */
    uint16_t *mine;   /* [stride] scratch */
} horizontal_turn;

kith_status horizontal_turn_init(horizontal_turn *t, horizontal_view *v, kith_error *error);
/* All parties call it; clusters have been arranged. */
kith_status horizontal_turn_run(horizontal_turn *t, horizontal_view *v, uint32_t pivot,
                                kith_error *error);

#endif
