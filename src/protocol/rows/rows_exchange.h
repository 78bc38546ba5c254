/* How sizes and closures become known: by the primitives where many parties have changed something
 * (steps 3 and 23), by a message where one has (step 19). */
#ifndef PROTOCOL_ROWS_ROWS_EXCHANGE_H
#define PROTOCOL_ROWS_ROWS_EXCHANGE_H

#include "protocol/rows/rows_state.h"

/* Sizes and closures of the clusters in list[0 … count-1], from what the parties hold. The closure
 * is looked for below the one that each has in above[cluster] (rows of slots; NULL: the roots).
 * Those that are empty get size 0 and go. */
kith_status rows_exchange_compute(rows_state *v, const uint32_t *list, uint32_t count,
                                  const uint16_t *above, kith_error *error);

/* The state that all parties have, before a turn. */
typedef struct rows_exchange {
    uint32_t used;
    uint32_t *size;
    uint16_t *closure;
    uint32_t *row;       /* of the census */
    size_t n_values;     /* in a row */
    uint32_t *body;      /* scratch of messages */
    size_t room;         /* entries of body */
    uint32_t n_clusters; /* room of size and closure */
} rows_exchange;

kith_status rows_exchange_save(rows_exchange *k, const rows_state *v, kith_error *error);
/* Step 19: tells all others what has changed since rows_exchange_save, and whether records have
 * moved at all; or hears it from the pivot. */
kith_status rows_exchange_share(rows_state *v, rows_exchange *k, uint32_t pivot, bool moved,
                                kith_error *error);

#endif
