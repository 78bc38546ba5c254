/* The hybrid end of sequential clustering (hybrid.h) where several sites hold the records: the
 * steps that all of them take at the same time, and one place that has everything takes one after
 * another.
 *
 * A round looks at the quarter of the small clusters with the lowest total costs:
 * 1. hybrid_sites_pick: which these are.
 * 2. hybrid_sites_price: what it would cost to send the records held here to the clusters where
 * that costs least, as things stand. Sites add their prices up.
 * 3. hybrid_sites_decide: in order, a cluster is united with the nearest one, or marked to be
 *    dissolved if that is cheaper; one that has grown in this round waits for the next.
 * 4. hybrid_sites_dissolve, site after site: the records of the marked clusters, in order, go where
 *    that costs least by then.
 * All but steps 2 and 4 follow from sizes and closures alone.
 *
 * Where models look at sensitive values, clusters that keep them all the time (SDC 6.1, finish
 * merge) get stuck far from the best. So records are clustered by size alone until here, single
 * records move, and then the clusters that break a model are mended: united with the nearest until
 * all hold. In the end single records move again, as far as the models let them. */
#ifndef PROTOCOL_ROWS_ROWS_FINISH_ROUNDS_H
#define PROTOCOL_ROWS_ROWS_FINISH_ROUNDS_H

#include "search/cluster/clusters.h"

typedef struct hybrid_sites {
    clusters *c;
    uint32_t k;
    uint32_t *batch; /* [count] the clusters of this round */
    uint32_t *size;  /* [count] their sizes at its beginning */
    bool *dissolves; /* [count] */
    uint32_t count;
    uint32_t marked;   /* how many dissolve */
    uint32_t *members; /* [records] scratch */
    uint16_t *ids, *weight;
} hybrid_sites;

/* How often single records move in the end, at most, and by how much less the cost must fall in a
 * round for the next one to come. */
enum { HYBRID_SITES_POLISHING = 10 };
static inline bool hybrid_sites_polished(uint64_t moves, int64_t before, int64_t now)
{
    return moves == 0 || (double)(before - now) < 1e-4 * (double)before;
}

/* Clusters must have been compacted and arranged. */
kith_status hybrid_sites_init(hybrid_sites *h, clusters *c, uint32_t k, kith_error *error);
/* False if no small cluster is left, or nothing but one cluster. */
bool hybrid_sites_pick(hybrid_sites *h);
/* Adds to price[0 … count-1]. */
void hybrid_sites_price(hybrid_sites *h, int64_t *price);
kith_status hybrid_sites_decide(hybrid_sites *h, const int64_t *price, kith_error *error);
/* `site` tells who holds a record; NULL: all records here are of the one site. */
kith_status hybrid_sites_dissolve(hybrid_sites *h, const uint32_t *site, uint32_t own,
                                  kith_error *error);

/* Mending: unites every cluster with bad[cluster] with the one nearest to it; one that has grown
 * that way is left for the next round. Clusters must have been compacted and arranged. */
kith_status hybrid_sites_unite(clusters *c, uint32_t k, bool *bad, kith_error *error);

#endif
