/* Models that look at sensitive values: SDC 6.1. Counts per cluster are known to all parties, by
 * sum where many have changed something, with the state that a pivot passes on otherwise. */
#ifndef PROTOCOL_ROWS_ROWS_DIVERSITY_H
#define PROTOCOL_ROWS_ROWS_DIVERSITY_H

#include "protocol/rows/rows_state.h"

/* Can all records together satisfy the models, and by which attribute are deals arranged? Makes
 * v->census and v->table, with room for `n_parts` rows. Does nothing more without such models. */
kith_status rows_diversity_check(rows_state *v, uint32_t n_parts, kith_error *error);

/* After my records have been dealt to `n_parts` parts: evens values out with the others (6.1.1), so
 * that v->table counts what everybody has dealt; *good tells whether the models hold. */
kith_status rows_diversity_deal(rows_state *v, uint32_t n_parts, bool *good, kith_error *error);
/* The same for my records in list[0], list[2], … that have been halved, to go to list[1], list[3],
 * … (6.1.2). Where the models do not hold for both halves nobody goes. The clusters' rows follow.
 */
kith_status rows_diversity_halve(rows_state *v, const uint32_t *list, uint32_t count,
                                 kith_error *error);

/* Finish hybrid: unites clusters until all models hold; *mended tells whether it had to. */
kith_status rows_diversity_repair(rows_state *v, bool *repaired, kith_error *error);

#endif
