/* Weave, the default search: grows a tree over all records, then improves the classes in rounds.
 *
 *     step of docs/algorithms.md            function
 *     a large table is divided into pieces  search/records/division.h
 *     pieces are brought together           search/records/record_source.h
 *     slots                                 slots_build (search/slots/slots.h)
 *     tree: the best slot splits a set      weave_tree_grow, weave_score
 *     trees over what was ejected           weave_start
 *     the last few go where they cost least weave_leftovers
 *     rounds: clusters sorted and cut       weave_rounds
 *     a chunk is improved                   weave_chunk_improve
 *     a record's nearest clusters, regrown  regrow (weave_chunk.c), weave_patch_take
 *     single records move                   weave_patch_insert, weave_patch_move
 *     models                                weave_trim, search/class_rules.h
 *
 * The result does not depend on the number of threads, unless a clock is asked (a budget in
 * seconds) or the user interrupts. */
#ifndef SEARCH_WEAVE_WEAVE_H
#define SEARCH_WEAVE_WEAVE_H

#include "search/records/record_source.h"
#include "search/search.h"

/* Searches the records piece by piece, wherever they lie, and hands their classes over. `p` has the
 * trees, costs, models and numbers of sensitive values of the table; its records are ignored. The
 * table is feasible: search_run has checked that. A piece takes less time and memory than the
 * whole, and loses less: its clusters have most in common with each other, so that the chunks of a
 * round find better neighbours. Every piece draws from a seed of its own. */
kith_status weave_run(search_result *result, const problem *p, const record_source *r,
                      const search_spec *spec, context *c, kith_error *error) KITH_MUST_USE;

#endif
