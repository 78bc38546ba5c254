/* How records of pieces travel between ranks, and classes back. */
#ifndef SEARCH_WEAVE_WEAVE_RANKS_MOVE_H
#define SEARCH_WEAVE_WEAVE_RANKS_MOVE_H

#include "core/crew.h"
#include "search/partition.h"
#include "search/weave/weave_ranks_deal.h"

/* One rank's own records in the order in which they are sent, and those that have arrived. */
typedef struct weave_ranks_move {
    const problem *p;
    crew *ranks;
    uint32_t n_ranks, self;
    const weave_ranks_deal *deal;
    uint32_t *order; /* [n_records] own records by place of their pieces */
    uint32_t *start; /* [n_pieces + 2] where those of a place begin */
    crew_bytes *in;  /* [n_ranks] see weave_ranks_move.c */
    size_t *taken;   /* [n_ranks] records of each that have been taken so far */
    crew_bytes *out; /* [n_ranks] classes of what has been taken */
    size_t *room;    /* [n_ranks] bytes that fit into each */
    arena *memory;   /* until the end */
    arena *records;  /* what has arrived */
} weave_ranks_move;

/* Sends the own records to the ranks to which their pieces are dealt. `piece_of` is not needed
 * afterwards. */
kith_status weave_ranks_move_records(weave_ranks_move *m, uint32_t *piece_of,
                                     kith_error *error) KITH_MUST_USE;
/* Records of all ranks in own piece number `index`: in the order of the pieces, once each. */
kith_status weave_ranks_move_take(const weave_ranks_move *m, uint32_t index, problem *piece,
                                  arena *memory, kith_error *error) KITH_MUST_USE;
/* Hands over the classes of the piece that was taken last. */
kith_status weave_ranks_move_answer(weave_ranks_move *m, uint32_t index, const partition *classes,
                                    arena *memory, kith_error *error) KITH_MUST_USE;
/* Sends all answers; then fills `out` with the classes of the own records, in `memory`. */
kith_status weave_ranks_move_classes(weave_ranks_move *m, partition *out, arena *memory,
                                     kith_error *error) KITH_MUST_USE;

#endif
