/* Which records of a partition to suppress: those that widen the closures of others most.
 *
 * A suppressed record shows the root of every attribute; that is what it costs. Nothing here makes
 * a partition dearer. */
#ifndef SEARCH_SUPPRESS_H
#define SEARCH_SUPPRESS_H

#include "core/run/context.h"
#include "search/partition.h"

/* What the partition costs, suppressed records (PARTITION_SUPPRESSED) included. */
double suppress_cost(const partition *p, const problem *problem);
uint32_t suppress_count(const partition *p, uint32_t n_records);

/* Lists up to `room` records, the most rewarding first, without which the others of their classes
 * would cost less by more than their suppression costs; classes that are then too small are
 * ignored, since a new search follows. list[room]; *count is how many there are. */
kith_status suppress_candidates(uint32_t *list, uint32_t *count, uint32_t room, const partition *p,
                                const problem *problem, arena *memory,
                                kith_error *error) KITH_MUST_USE;

/* Suppresses up to `room` more records, from classes that remain good without them. The partition
 * is closed afterwards. */
kith_status suppress_peel(partition *p, uint32_t room, const problem *problem, arena *memory,
                          kith_error *error) KITH_MUST_USE;

/* Takes suppressed records back into classes where they cost less than their suppression. The
 * partition is closed afterwards. */
kith_status suppress_readmit(partition *p, const problem *problem, arena *memory,
                             kith_error *error) KITH_MUST_USE;

#endif
