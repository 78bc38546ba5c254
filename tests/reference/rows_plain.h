/* Sequential clustering over records of several sites, all in one place: what a joint run of SDC
 * Algorithm 3 (protocol/clustering_horizontal.h) gives, cluster by cluster, without its messages.
 */
#ifndef REFERENCE_ROWS_PLAIN_H
#define REFERENCE_ROWS_PLAIN_H

#include "search/search.h"

/* Which site holds a record, and whether sites hide how many records they have (SDC 8.2.3). */
typedef struct rows_plain_sites {
    const uint32_t *site; /* [n_records] below the number of records */
    bool hide_sizes;
    uint32_t withhold; /* clusters of fewer records are withheld; 0: none is */
    uint32_t others;   /* m-privacy: so many records of other sites in a class, or none; 0: off */
    uint32_t values;   /* and so many values of the first sensitive attribute; 0: any */
} rows_plain_sites;

/* Choices are those of the sites, drawn from (seed, site); the block rule is that of
 * search/cluster/block_pass.h; the finish `hybrid` is that of protocol/rows/rows_finish_rounds.h.
 * KITH_INFEASIBLE if all records together do not satisfy the models. Costs must not depend on
 * sensitive values. Results live in c->memory. */
kith_status rows_plain(search_result *result, const problem *p, const search_spec *spec,
                       const rows_plain_sites *where, context *c, kith_error *error) KITH_MUST_USE;

#endif
