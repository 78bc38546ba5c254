/* Units whose records are on several ranks: counts of units of two ranks do not add up. So some
 * records move, with what is counted of them, to one rank for each unit; what the ranks count then
 * can be added up. */
#ifndef SEARCH_UNIT_HOMES_H
#define SEARCH_UNIT_HOMES_H

#include "core/run/ranks.h"
#include "search/class_counts.h"

typedef struct unit_homes {
    problem records; /* that have come: their units and sensitive values, and nothing else */
    uint32_t *group; /* [records.n_records] */
} unit_homes;

/* Sends records of `p`, record[n] or, if it is NULL, the first n, with group[n] < n_groups. Units
 * and pairs are numbered over all ranks. */
kith_status unit_homes_bring(unit_homes *h, const problem *p, const uint32_t *record,
                             const uint32_t *group, uint32_t n, uint32_t n_groups,
                             kith_ranks *ranks, arena *memory, kith_error *error) KITH_MUST_USE;

/* What all ranks have counted, each of its own units, as one class; in `memory`. members[size] are
 * the records that are counted here. */
kith_status unit_homes_view(class_view *view, class_counts *counts, const uint32_t *closure,
                            const uint32_t *members, uint32_t size, kith_ranks *ranks,
                            arena *memory, kith_error *error) KITH_MUST_USE;

#endif
