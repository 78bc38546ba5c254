/* The hybrid finish of sequential clustering (search/cluster/finish_hybrid.h) where several sites
 * hold the records: the steps that all sites take at the same time, and a run that has all records
 * in one place takes site after site.
 *
 * A round looks at the quarter of the small clusters with the lowest total costs:
 * 1. rows_finish_rounds_pick chooses them.
 * 2. rows_finish_rounds_price: what it would cost to move the records held here to the clusters
 *    where that costs least, as the clusters are now. Sites add their prices up.
 * 3. rows_finish_rounds_decide: in order, a cluster is merged with the nearest one, or marked to be
 *    dissolved if that is cheaper; one that has grown in this round waits for the next.
 * 4. rows_finish_rounds_dissolve, site after site: the records of the marked clusters, in order,
 *    move to where that costs least by then.
 * Steps 1 and 3 follow from sizes and closures alone, so all sites decide alike.
 *
 * Why a quarter, and ten polishing passes: every round is a secure sum and a turn of every site,
 * and every polishing pass asks the other sites about records. finish_hybrid.c has exact prices for
 * free, takes one cluster at a time and polishes up to twenty times; columns_hybrid.c takes a
 * tenth. Prices of a larger share are outdated by the time they are used, so the shares change
 * releases and are not one parameter.
 *
 * Where models look at sensitive values, clusters that satisfy them all the time (SDC 6.1, finish
 * merge) get stuck far from the best. So records are clustered by size alone until here, single
 * records move, and then clusters that violate a model are merged with the nearest ones until none
 * does. In the end single records move again, as far as the models let them. */
#ifndef PROTOCOL_ROWS_ROWS_FINISH_ROUNDS_H
#define PROTOCOL_ROWS_ROWS_FINISH_ROUNDS_H

#include "search/cluster/clusters.h"

typedef struct rows_finish_rounds {
    clusters *c;
    uint32_t k;
    uint32_t *batch; /* [count] the clusters of this round */
    uint32_t *size;  /* [count] their sizes at its beginning */
    bool *dissolves; /* [count] */
    uint32_t count;
    uint32_t marked;   /* how many dissolve */
    uint32_t *members; /* [n_records] scratch */
    uint16_t *ids, *weight;
} rows_finish_rounds;

/* Polishing passes at most, and whether this one is the last: nothing moved, or little was gained.
 */
enum { ROWS_FINISH_MAX_POLISHING = 10 };
static inline bool rows_finish_rounds_polished(uint64_t n_moves, int64_t before, int64_t now)
{
    return n_moves == 0 || (double)(before - now) < 1e-4 * (double)before;
}

/* Clusters must have been compacted and arranged. */
kith_status rows_finish_rounds_init(rows_finish_rounds *h, clusters *c, uint32_t k,
                                    kith_error *error);
/* False if no small cluster is left, or nothing but one cluster. */
bool rows_finish_rounds_pick(rows_finish_rounds *h);
/* Picks the clusters that are withheld (clusters.h); all of them dissolve. */
void rows_finish_rounds_pick_withheld(rows_finish_rounds *h);
/* Adds to price[0 … count-1]. */
void rows_finish_rounds_price(rows_finish_rounds *h, int64_t *price);
/* KITH_PEER if a price cannot be. */
kith_status rows_finish_rounds_decide(rows_finish_rounds *h, const int64_t *price,
                                      kith_error *error);
/* `site` tells who holds a record; NULL: all records here are of the one site. */
kith_status rows_finish_rounds_dissolve(rows_finish_rounds *h, const uint32_t *site, uint32_t own,
                                        kith_error *error);

/* Repair: merges every cluster with bad[cluster] with the one nearest to it. A cluster that has
 * grown that way is no longer bad: the caller checks it in the next round. Clusters must have been
 * compacted and arranged. */
kith_status rows_finish_rounds_merge(clusters *c, uint32_t k, bool *bad, kith_error *error);

#endif
