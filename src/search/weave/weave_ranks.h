/* Weave over the ranks of a crew, each of which holds a share of the records.
 *
 * The table is divided by counts that are added up over the ranks (search/division.h). Pieces are
 * dealt to the ranks by size, their records move to that rank and are searched there exactly as in
 * one process: in the order of the whole table, which is that of the ranks, and with the piece's
 * own seed. What comes back to the owner of a record is the closure of its class. So the release
 * does not depend on the number of ranks.
 *
 * Cost: the counts of the division; for each record its cells and sensitive values, in 1, 2 or 4
 * bytes each, and back the number of its class and, once per class and rank, the closure. Memory:
 * the own records, those of the own pieces as they were sent, and one piece that is searched. */
#ifndef SEARCH_WEAVE_WEAVE_RANKS_H
#define SEARCH_WEAVE_WEAVE_RANKS_H

#include "search/search.h"

/* Classes that have records on this rank, with the closures of all their records. The problem has
 * the own records, and trees, costs and models of the whole table, which satisfies the models. All
 * ranks take the seed of the first one. */
kith_status weave_ranks(partition *out, const problem *p, const search_spec *spec, context *c,
                        kith_error *error) KITH_MUST_USE;

#endif
