/* How sizes and closures of clusters become known to all parties: computed by the secure primitives
 * where many parties have changed something (steps 3 and 23), sent in a message by the pivot where
 * it alone has (step 19). */
#ifndef PROTOCOL_ROWS_ROWS_EXCHANGE_H
#define PROTOCOL_ROWS_ROWS_EXCHANGE_H

#include "protocol/rows/rows_state.h"

/* Computes the sizes and closures of the clusters in list[0 … count-1] from what the parties hold.
 * The closure of list[i] is searched below row i of `above` (rows of slots; NULL: below the roots).
 * Clusters without records are dropped. */
kith_status rows_exchange_compute(rows_state *v, const uint32_t *list, uint32_t count,
                                  const uint16_t *above, kith_error *error);

/* A copy of what all parties know before a turn, so that the pivot can send what has changed. */
typedef struct rows_exchange {
    uint32_t used;
    uint32_t *size;
    uint16_t *closure;
    uint32_t *row;       /* counts of sensitive values */
    size_t n_values;     /* in a row */
    uint32_t *body;      /* scratch of messages */
    size_t room;         /* entries of body */
    uint32_t n_clusters; /* room of size and closure */
} rows_exchange;

kith_status rows_exchange_save(rows_exchange *k, const rows_state *v, kith_error *error);
/* Step 19: the pivot sends what has changed since rows_exchange_save, and whether records have
 * moved at all; the others receive, check and apply it. KITH_PEER, blaming the pivot, if that is
 * inconsistent with what they know. */
kith_status rows_exchange_share(rows_state *v, rows_exchange *k, uint32_t pivot, bool moved,
                                kith_error *error);

#endif
