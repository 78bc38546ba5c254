/* Sequential clustering over records of several sites, all in one place: what a joint run of SDC
 * Algorithm 3 gives, cluster by cluster, without its messages. */
#ifndef SEARCH_SEQUENTIAL_SITES_H
#define SEARCH_SEQUENTIAL_SITES_H

#include "search/algorithms.h"

/* As sequential_run with spec->site. Choices are those of the sites, drawn from (seed, site); the
 * block rule is that of turns.h; `hybrid` ends as in hybrid_sites.h. One start, whatever
 * spec->restarts says. */
kith_status sequential_sites_run(search_result *result, const problem *p, const search_spec *spec,
                                 context *c, kith_error *error);

#endif
