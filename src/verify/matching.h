/* Assigns items to places of limited room: bipartite matching after Hopcroft and Karp. */
#ifndef VERIFY_MATCHING_H
#define VERIFY_MATCHING_H

#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"

/* Item i may go to place edge[start[i]] … edge[start[i + 1] - 1]; place p has room for room[p]. */
typedef struct matching_graph {
    uint32_t n_items, n_places;
    const uint64_t *start; /* [n_items + 1] */
    const uint32_t *edge;
    const uint32_t *room; /* [n_places]; the sum fits 32 bits */
} matching_graph;

/* Assigns as many items as possible: place_of[item], or UINT32_MAX for those left over, whose
 * number goes to *left. At most about sqrt(items) passes over all edges. */
kith_status matching_solve(const matching_graph *g, uint32_t *place_of, uint32_t *left,
                           arena *memory, kith_error *error);

#endif
