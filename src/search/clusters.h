/* Clusters of records that change all the time, and the search for the best one for a record.
 *
 * Invariants: cluster c is in use iff size[c] > 0; closure, cost (per record) and member lists are
 * always those of its present records, which satisfy the conditions of `admit`; record i is
 * member[of[i]][place[i]]. Clusters in use have a lane of `index`, which scores a record against
 * all of them; lanes are given out by clusters_arrange in an order that keeps like closures
 * together. */
#ifndef SEARCH_CLUSTERS_H
#define SEARCH_CLUSTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "search/admit.h"
#include "search/blocks.h"
#include "search/slots.h"

#define CLUSTER_NONE UINT32_MAX

typedef struct clusters {
    const slots *slots;
    const admit *admit;
    arena *memory;
    uint32_t capacity; /* of the arrays by cluster */
    uint32_t used;     /* ids below this have been given out */
    uint32_t *idle;    /* [idle_count] ids below used that are free again */
    uint32_t idle_count;
    uint32_t *size;
    uint32_t *room;    /* of member[c]: a power of two */
    uint32_t **member; /* [capacity][room] */
    uint16_t *closure; /* [capacity * stride] */
    int32_t *cost;
    uint32_t *lane;  /* [capacity] BLOCKS_NONE: not in the index */
    uint32_t *of;    /* [records] */
    uint32_t *place; /* [records] */
    bounded index;
    uint32_t lanes;    /* room of the index */
    uint32_t *at;      /* [lanes] cluster in a lane */
    uint32_t *witness; /* [lanes] scratch: a record of that cluster */
    uint32_t *order;   /* [slots] slots with few frequent values first: how closures are sorted */
    uint16_t *weight;  /* scratch of a query */
    uint16_t *without; /* scratch: closure of a cluster without a record */
    void *spare[32];   /* lists of free member arrays by log2 of their room */
} clusters;

/* Clusters with room for `capacity` of them, none in use. Lives in `memory`. */
kith_status clusters_init(clusters *c, const slots *s, const admit *a, uint32_t capacity,
                          arena *memory, kith_error *error);
/* Makes sure that `more` further clusters can be made. Clusters in the index stay there. */
kith_status clusters_reserve(clusters *c, uint32_t more, kith_error *error);

/* A new cluster without records, to be filled with clusters_append and closed with clusters_close;
 * there must be room (clusters_reserve). */
uint32_t clusters_add(clusters *c);
kith_status clusters_append(clusters *c, uint32_t cluster, uint32_t record, kith_error *error);
/* Computes closure and cost from the members. */
void clusters_close(clusters *c, uint32_t cluster);
/* Forgets all members (they must have gone elsewhere) and frees the id. */
void clusters_drop(clusters *c, uint32_t cluster);

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

/* Moves all records of `from` into `into` and drops `from`; the index follows. */
kith_status clusters_merge(clusters *c, uint32_t into, uint32_t from, kith_error *error);

#endif
