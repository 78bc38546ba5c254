/* Clusters of records that move between them, and the search for the best cluster for a record.
 *
 * Invariants between calls (clusters_check; clusters that are being filled are exempt):
 * - Cluster c is in use iff size[c] > 0. Its closure and cost (per record) are those of its present
 *   records, which satisfy the conditions of `rules`.
 * - member[c] lists the held[c] records that are here; held[c] = size[c] unless other sites hold
 *   records of the cluster, too. Record i is member[of[i]][place[i]].
 * - The row of a cluster, if values are counted, counts the sensitive values of all its records.
 * - Clusters in use have a lane of `index`, which scores a record against all of them. Lanes are
 *   given out by clusters_arrange in an order that keeps similar closures together, which makes the
 *   bounds of the index tight.
 *
 * - Clusters of fewer than min_known records are withheld: their closure counts as the roots, and
 *   their lane is empty, so that no record joins them. During its turn a site opens those that have
 *   no records but its own (block_pass.h).
 *
 * Costs are those of records, and so is `size`; `extent` is what models count.
 *
 * In a joint run a site sees only a part of the records: `size`, `closure` and `cost` are those of
 * all records of a cluster, the member lists hold the site's own. With whole slots everything here
 * (ids after clusters_compact, lanes, ties) follows from sizes, closures and the order of calls, so
 * that all sites, and a run that has all records in one place, compute the same. */
#ifndef SEARCH_CLUSTER_CLUSTERS_H
#define SEARCH_CLUSTER_CLUSTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/check.h"
#include "search/class_rules.h"
#include "search/slots/lanes.h"
#include "search/cluster/value_counts.h"
#include "search/slots/slots.h"

#define CLUSTER_NONE UINT32_MAX

typedef struct clusters {
    const slots *slots;
    const class_rules *rules;
    arena *memory;
    uint32_t capacity; /* of the arrays by cluster */
    uint32_t used;     /* ids below this have been given out */
    uint32_t *idle;    /* [n_idle] ids below used that are free again */
    uint32_t n_idle;
    uint32_t *size;
    const uint32_t *unit; /* [n_records] NULL: each record is a unit */
    uint32_t *extent;     /* units of each cluster: `size` itself where each record is a unit */
    uint32_t *held;       /* records in member[c] */
    uint32_t *room;       /* of member[c]: a power of two, or 0 */
    uint32_t **member;    /* [capacity][room] */
    uint16_t *closure;    /* [capacity * stride] */
    int32_t *cost;
    uint32_t *lane;                   /* [capacity] LANES_NONE: not in the index */
    uint32_t min_known;               /* smaller clusters are withheld; 0: none is */
    const value_counts *value_counts; /* NULL: models look at the members, who are all here */
    uint32_t *row;                    /* [capacity * value_counts->n_values] */
    uint32_t *of;                     /* [n_records] */
    uint32_t *place;                  /* [n_records] */
    bounded_lanes index;
    uint32_t n_lanes;  /* room of the index */
    uint32_t *at;      /* [n_lanes] cluster in a lane */
    uint32_t *order;   /* [slots] slots with few (frequent) values first: how closures are sorted */
    uint16_t *weight;  /* scratch of a query */
    uint16_t *without; /* scratch: closure of a cluster without a record */
    void *spare[32];   /* lists of free member arrays by log2 of their room */
} clusters;

static inline uint16_t *clusters_closure(const clusters *c, uint32_t cluster)
{
    return c->closure + (uint64_t)cluster * c->slots->stride;
}

/* Clusters with room for `capacity` of them, none in use. Lives in `memory`. */
kith_status clusters_init(clusters *c, const slots *s, const class_rules *a, uint32_t capacity,
                          arena *memory, kith_error *error);
/* From now on sensitive values are counted in rows, all zero at first; before any cluster is made.
 */
kith_status clusters_count_values(clusters *c, const value_counts *by, kith_error *error);
static inline uint32_t *clusters_row(const clusters *c, uint32_t cluster)
{
    return c->row + (uint64_t)cluster * c->value_counts->n_values;
}
/* Makes sure that `more` further clusters can be made. Clusters in the index stay there. */
kith_status clusters_reserve(clusters *c, uint32_t more, kith_error *error);

/* A new cluster without records, to be filled with clusters_append and closed with clusters_close;
 * there must be room (clusters_reserve). */
uint32_t clusters_add(clusters *c);
kith_status clusters_append(clusters *c, uint32_t cluster, uint32_t record, kith_error *error);
/* Forgets the members of a cluster that keeps its id, to be filled anew. */
void clusters_clear(clusters *c, uint32_t cluster);
/* Sets the closure and size that a cluster has with the records of all sites; the index follows.
 * Size 0 drops it. */
void clusters_set_joint(clusters *c, uint32_t cluster, const uint16_t *closure, uint32_t size);
/* Has a cluster a member of the same unit? Only where records belong to units. */
bool clusters_has_unit_of(const clusters *c, uint32_t cluster, uint32_t record);
/* Computes closure and cost from the members. */
void clusters_close(clusters *c, uint32_t cluster);
/* Gives a cluster the roots as closure, and empties its lane. */
void clusters_withhold(clusters *c, uint32_t cluster);
/* The other way round, for a cluster whose records are all here. */
void clusters_open(clusters *c, uint32_t cluster);
/* Forgets all members (they must have gone elsewhere) and frees the id. */
void clusters_drop(clusters *c, uint32_t cluster);

/* Renumbers the clusters in use 0, 1, … in their order. The index is out of date afterwards. */
void clusters_compact(clusters *c);

/* Puts all clusters in use into lanes, like ones side by side, with tight bounds. */
kith_status clusters_arrange(clusters *c, kith_error *error);

/* Total cost of a cluster. */
static inline int64_t clusters_total(const clusters *c, uint32_t cluster)
{
    return (int64_t)c->cost[cluster] * c->size[cluster];
}

/* How much the total cost falls when the record leaves its cluster; the closure that remains stays
 * in c->without until the next call, and *remaining is its cost. */
int64_t clusters_gain(clusters *c, uint32_t record, int32_t *remaining);

/* How much the total cost of a cluster grows when a record joins it. */
int64_t clusters_growth(const clusters *c, uint32_t cluster, uint32_t record);

/* The cluster other than the record's own that may receive it and whose total cost grows least, by
 * less than `below`; CLUSTER_NONE if there is none. */
uint32_t clusters_best(clusters *c, uint32_t record, int64_t below);

/* Moves the record of the last clusters_gain to another cluster; an emptied cluster is dropped. */
kith_status clusters_move(clusters *c, uint32_t record, uint32_t to, int32_t remaining,
                          kith_error *error);

/* Moves a record without computing the closure that remains: for clusters that are being dissolved,
 * have left the index (clusters_hide) and lose all their records. */
kith_status clusters_evict(clusters *c, uint32_t record, uint32_t to, kith_error *error);
/* Takes a cluster out of the index: no record will be sent there. */
void clusters_hide(clusters *c, uint32_t cluster);

/* The closure of a cluster as a query: levels that it has given up agree with no other closure.
 * `ids` and `weight` are scratch of slots.stride entries. */
query clusters_query(const clusters *c, uint32_t cluster, uint16_t *ids, uint16_t *weight);

/* May the record leave its cluster, as far as the models are concerned? */
bool clusters_may_leave(const clusters *c, uint32_t record);

/* Sum of clusters_total over all clusters in use. */
int64_t clusters_total_cost(const clusters *c);

/* Moves all records of `from` into `into` and drops `from`; the index follows. */
kith_status clusters_merge(clusters *c, uint32_t into, uint32_t from, kith_error *error);

#if KITH_DEBUG
/* Aborts unless the invariants hold. Cost: records x slots. */
void clusters_check(const clusters *c);
#endif

#endif
