/* Searching a large table piece by piece (search/division.h).
 *
 * That takes less time and memory, and loses less: the clusters of a piece have most in common with
 * each other, so that the chunks of a round find better neighbours. docs/algorithms.md has figures.
 * Every piece draws from a seed of its own: the result does not depend on the number of threads. */
#ifndef SEARCH_WEAVE_WEAVE_PIECES_H
#define SEARCH_WEAVE_WEAVE_PIECES_H

#include "search/weave/weave.h"
#include "search/weave/weave_internal.h"

/* Adds the classes of all pieces to `out`, whose class_of has been allocated. */
kith_status weave_pieces(partition *out, const problem *p, const search_spec *spec, uint32_t limit,
                         context *c, kith_error *error) KITH_MUST_USE;

/* Which part of this process's work a piece is, as shares of the whole. */
typedef struct weave_pieces_turn {
    uint64_t seed;
    double before; /* has been done */
    double share;
} weave_pieces_turn;

/* Searches one piece by itself, for the run of `c`, with results in `memory`. After an interrupt it
 * is grown, but not improved: its records have no class yet. */
kith_status weave_pieces_search(weave_partition *w, const problem *piece,
                                const weave_pieces_turn *turn, const search_spec *spec, context *c,
                                arena *memory, kith_error *error) KITH_MUST_USE;

#endif
