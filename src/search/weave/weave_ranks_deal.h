/* Which rank searches which piece. */
#ifndef SEARCH_WEAVE_WEAVE_RANKS_DEAL_H
#define SEARCH_WEAVE_WEAVE_RANKS_DEAL_H

#include <stdint.h>

#include "core/arena.h"
#include "core/error.h"

/* Pieces in the order in which they are sent: rank by rank, ascending for each rank. */
typedef struct weave_ranks_deal {
    uint32_t n_pieces, n_ranks;
    uint32_t *pieces;   /* [n_pieces] in that order */
    uint32_t *place_of; /* [n_pieces] where each piece is in it */
    uint32_t *start;    /* [n_ranks + 1] where those of a rank begin */
} weave_ranks_deal;

/* The largest piece goes first, always to the rank that has fewest records by then. */
kith_status weave_ranks_deal_out(weave_ranks_deal *deal, const uint64_t *sizes, uint32_t n_pieces,
                                 uint32_t n_ranks, arena *memory, kith_error *error) KITH_MUST_USE;

#endif
