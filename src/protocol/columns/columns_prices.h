/* What changes of clusters would cost in the columns of one party.
 *
 * A table of prices has one row per record or cluster that might move, and one column per cluster
 * that might receive it. Every entry is a change of the total cost, so that the entries of all
 * parties add up. */
#ifndef PROTOCOL_COLUMNS_COLUMNS_PRICES_H
#define PROTOCOL_COLUMNS_COLUMNS_PRICES_H

#include "core/run/threads.h"
#include "protocol/columns/columns_clusters.h"

/* A small random amount that depends only on the record (UINT32_MAX: a whole cluster) and the tags
 * of the two clusters, not on the time: asking again averages nothing out. */
typedef int64_t columns_noise(void *user, uint32_t record, uint64_t from, uint64_t to);

typedef struct columns_prices {
    const columns_clusters *c;
    threads *pool;
    columns_noise *noise; /* NULL: none */
    void *user;
    uint32_t count;     /* clusters that may receive */
    uint32_t *clusters; /* [count] their ids, ascending */
    uint32_t *size;     /* [count] their records at that time */
    uint32_t *column;   /* [n_ids] the column of a cluster, where it has one */
    uint32_t **node;    /* [n_sides][n_ids] their closures side by side */
    uint32_t n_ids;     /* room of these arrays */
} columns_prices;

kith_status columns_prices_init(columns_prices *p, const columns_clusters *c, threads *pool,
                                kith_error *error);

/* The clusters of fewer than `below` records, as they are now, become the columns of the tables
 * that follow. Call it again after any change of clusters, before the next table. */
kith_status columns_prices_set_columns(columns_prices *p, uint32_t below, kith_error *error);

/* out[i * count + r]: record[i] leaves its cluster for the r-th one. 0 for its own. */
void columns_prices_moves(const columns_prices *p, int64_t *out, const uint32_t *record,
                          uint32_t n);

/* out[i * count + r]: cluster[i] unites with the r-th one. 0 for itself. */
void columns_prices_unions(const columns_prices *p, int64_t *out, const uint32_t *cluster,
                           uint32_t n);

/* out[i * count + r]: the i-th member of a cluster that is being dissolved goes to the r-th one;
 * what the cluster itself costs is taken off in equal shares. 0 for the cluster itself. */
void columns_prices_members(const columns_prices *p, int64_t *out, uint32_t cluster);

#endif
