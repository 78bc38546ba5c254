/* Models that look at sensitive values: SDC 6.1. All parties know the counts of values in every
 * cluster: by a sum where many parties have changed something, otherwise with the changes that the
 * pivot sends (rows_exchange.h). */
#ifndef PROTOCOL_ROWS_ROWS_DIVERSITY_H
#define PROTOCOL_ROWS_ROWS_DIVERSITY_H

#include "protocol/rows/rows_state.h"

/* Checks whether all records together can satisfy the models, and finds the sensitive attribute by
 * which the distribution is arranged. Makes v->models.value_counts and, if there are such models,
 * the table with room for `n_parts` rows. KITH_INFEASIBLE at all parties if the models cannot be
 * met. */
kith_status rows_diversity_check(rows_state *v, uint32_t n_parts, kith_error *error);

/* After every party has distributed its records to `n_parts` parts: the parties even the values out
 * (6.1.1), and the table counts the values of all records by part. *good tells whether all parts
 * satisfy the models. */
kith_status rows_diversity_distribute(rows_state *v, uint32_t n_parts, bool *good,
                                      kith_error *error);
/* The same for the clusters list[0], list[2], …, whose records have been distributed to two halves,
 * the second of which will move to list[1], list[3], … (6.1.2). Where a half would violate the
 * models all records are distributed to the first one. The clusters' rows of counts follow. */
kith_status rows_diversity_halve(rows_state *v, const uint32_t *list, uint32_t count,
                                 kith_error *error);

/* Finish hybrid: merges clusters until all satisfy the models; *repaired tells whether some did
 * not. */
kith_status rows_diversity_repair(rows_state *v, bool *repaired, kith_error *error);

#endif
