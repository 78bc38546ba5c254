/* The algorithms, one file each; search.c lists them. Weave has a header of its own. */
#ifndef SEARCH_ALGORITHMS_H
#define SEARCH_ALGORITHMS_H

#include "search/search.h"

/* Results live in c->memory. The problem is feasible: search_run has checked that. */
kith_status sequential_run(search_result *result, const problem *p, const search_spec *spec,
                           context *c, kith_error *error);
/* With regions (regions.h). */
kith_status mondrian_regions_run(search_result *result, const problem *p, const search_spec *spec,
                                 context *c, kith_error *error);
kith_status mondrian_run(search_result *result, const problem *p, const search_spec *spec,
                         context *c, kith_error *error);
/* SEQ 6.2.1. Serves every model that holds for the whole table: clusters merge until all hold. */
kith_status agglomerative_run(search_result *result, const problem *p, const search_spec *spec,
                              context *c, kith_error *error);
/* Byun et al., SEQ 6.2.1. k-anonymity only. */
kith_status k_member_run(search_result *result, const problem *p, const search_spec *spec,
                         context *c, kith_error *error);
/* SEQ 6.2.3. k-anonymity only. */
kith_status hilbert_run(search_result *result, const problem *p, const search_spec *spec,
                        context *c, kith_error *error);

/* Searches of the lattice of full-domain generalizations (EGV 2.1). All except datafly are optimal.
 */
kith_status flash_run(search_result *result, const problem *p, const search_spec *spec, context *c,
                      kith_error *error);
kith_status ola_run(search_result *result, const problem *p, const search_spec *spec, context *c,
                    kith_error *error);
kith_status incognito_run(search_result *result, const problem *p, const search_spec *spec,
                          context *c, kith_error *error);
kith_status exhaustive_breadth_first_run(search_result *result, const problem *p,
                                         const search_spec *spec, context *c, kith_error *error);
kith_status exhaustive_depth_first_run(search_result *result, const problem *p,
                                       const search_spec *spec, context *c, kith_error *error);
kith_status datafly_run(search_result *result, const problem *p, const search_spec *spec,
                        context *c, kith_error *error);

/* Top-down specialization: a cut through each hierarchy, not full-domain. */
kith_status top_down_run(search_result *result, const problem *p, const search_spec *spec,
                         context *c, kith_error *error);

#endif
