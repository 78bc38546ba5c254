/* The records of a table of which every rank holds a slice.
 *
 * Pieces are distributed to the ranks by size, and their records move there, so that a rank
 * searches a piece exactly as one process would: in the order of the whole table, which is that of
 * the ranks. What comes back to the owner of a record is the closure of its class.
 *
 * Cost: for each record its cells and sensitive values, in 1 to 4 bytes each, and back the number
 * of its class and, once per class, piece and rank, the closure. Memory: this rank's records, those
 * of this rank's pieces as they were sent, and one piece that is searched. */
#ifndef SEARCH_RECORDS_RECORDS_RANKS_H
#define SEARCH_RECORDS_RECORDS_RANKS_H

#include "search/records/record_source.h"

/* The problem has this rank's records. Once they are finished, *found has the classes that have
 * some of these, with the closures of all their records, and, if they are `named`, their ids, in
 * c->memory. All ranks take the seed of the first one. */
kith_status records_ranks_open(record_source *r, partition *found, const problem *p, bool named,
                               arena *scratch, context *c, kith_error *error) KITH_MUST_USE;

/* Which rank searches which piece, given the sizes of these: the largest goes first, always to the
 * rank that has fewest records by then. */
kith_status records_ranks_distribute(uint32_t *rank_of, const uint64_t *sizes, uint32_t n_pieces,
                                     uint32_t n_ranks, arena *scratch,
                                     kith_error *error) KITH_MUST_USE;

#endif
