/* The plan by which a large table is divided into pieces: sets of records that are searched alone.
 *
 * What a search keeps for each record is then needed for one piece at a time. A set that is too
 * large is split by the attribute that the tree of weave would take first: by the nodes one level
 * below the one on which the set agrees. Neighbouring nodes are gathered as long as they stay below
 * the limit, so that pieces are few and about equally large; what is still too large is split
 * again. Every piece may itself be a class: neighbours are united where it may not.
 *
 * Only counts of values decide, never the order of the records, so that the same table is divided
 * into the same pieces wherever its records lie. Sets are counted together, many in one scan, and
 * each rank counts its own records. Pieces are numbered depth-first.
 *
 * Cost: a scan for every depth of the plan, and more if there are too many sets to be counted at
 * once; another one where models have conditions beyond the size of classes; and one again where a
 * split fails because of them. */
#ifndef SEARCH_RECORDS_DIVISION_H
#define SEARCH_RECORDS_DIVISION_H

#include <stdbool.h>

#include "core/run/context.h"
#include "search/problem.h"
#include "search/records/record_scan.h"

typedef struct division division;

/* Most records of a piece: what is asked for (0: nothing), else 100,000, 1,000 of the smallest
 * classes, or a sixteenth of the nodes of the largest hierarchy, whichever is most. */
uint32_t division_limit(const problem *p, uint32_t min_class, uint32_t asked);

/* Divides the records that `scan` shows: on each rank of c->ranks its own, `n_records` on all ranks
 * together. They satisfy the models as one class. The problem has trees, costs, models and numbers
 * of sensitive values; of its records only units and sensitive values are looked at, and only where
 * units are counted. A piece has more than `limit` > 0 records
 * only if no attribute can split it, or if the caller has interrupted. Lives in c->memory, and
 * refers to the trees. */
kith_status division_make(division **d, const problem *p, uint64_t n_records, uint32_t min_class,
                          uint32_t limit, const record_scan *scan, context *c,
                          kith_error *error) KITH_MUST_USE;

uint32_t division_count(const division *d);
uint64_t division_size(const division *d, uint32_t piece);

/* The piece of each record of a block; goes on from block->reached. */
void division_pieces(const division *d, const record_block *block, uint32_t *pieces);

/* The seed for the search of a piece, given that of the run, which a table of at most `limit`
 * records keeps. */
uint64_t division_seed(const division *d, uint64_t seed, uint32_t piece);

#endif
