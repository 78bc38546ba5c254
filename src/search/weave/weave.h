/* Weave, the default search: grows a tree over all records, then improves the classes in rounds.
 *
 *     step of docs/algorithms.md            function
 *     a large table is divided into pieces  weave_pieces, weave_divide, search/division.h
 *     over ranks pieces move                weave_ranks
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

#include "search/search.h"

/* The result lives in c->memory. The problem is feasible: search_run has checked that. */
kith_status weave_run(search_result *result, const problem *p, const search_spec *spec, context *c,
                      kith_error *error);

/* search_run_piece of search.h. */
kith_status weave_piece(search_result *result, const problem *p, const search_place *place,
                        const search_spec *spec, context *c, kith_error *error) KITH_MUST_USE;

#endif
