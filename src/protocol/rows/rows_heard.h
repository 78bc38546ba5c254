/* Counts, at the party that hears of them, the sets of records in which a single record of another
 * site shows. A party knows its own records in a set: with one foreign record among them the
 * closure bounds that record, and without any of its own the closure is that record. */
#ifndef PROTOCOL_ROWS_ROWS_HEARD_H
#define PROTOCOL_ROWS_ROWS_HEARD_H

#include "protocol/rows/rows_state.h"

/* This party has come to know the closure (nodes by attribute) of `size` records, of which `own`
 * are its own. */
void rows_heard_set(rows_state *v, rows_event event, uint32_t size, uint32_t own,
                    const uint32_t *nodes);
/* Puts what was counted since the last time into the ledger. */
void rows_heard_report(rows_state *v);

#endif
