/* Clusters of records as one party sees them: it knows the members of all clusters, but closures
 * and costs in its own columns only.
 *
 * Invariants (columns_clusters_check): cluster c is in use iff size[c] > 0. Closure, cost (per
 * record) and tag are those of its present members. Record i is member[of[i]][place[i]]. Ids are
 * given out and taken back in an order that depends on the calls alone, so that parties that make
 * the same calls have the same ids.
 *
 * Costs are integers, COLUMNS_UNIT per unit of the measure, rounded node by node: what parties
 * compute for their own columns adds up to what one party with all columns computes. */
#ifndef PROTOCOL_COLUMNS_COLUMNS_CLUSTERS_H
#define PROTOCOL_COLUMNS_COLUMNS_CLUSTERS_H

#include <stdint.h>

#include "core/arena.h"
#include "core/check.h"
#include "search/problem.h"

#define COLUMNS_UNIT 16777216.0
/* No party adds more than this to a sum, in absolute value: all its records cost less than 2^56,
 * noise is below 2^51. Sums over 64 parties stay below 2^63. */
#define COLUMNS_MAX_SUMMAND ((INT64_C(1) << 56) + (INT64_C(1) << 52))

/* One column of this party. */
typedef struct columns_side {
    const tree *tree;
    const uint32_t *cells;
    int64_t *cost;     /* [n_nodes] */
    int64_t *joint;    /* [n_nodes * n_nodes] cost of the common ancestor; NULL for large trees */
    uint32_t *closure; /* [capacity] */
} columns_side;

/* A pseudorandom number of a record; tags of members add up to the tag of a cluster. NULL: all are
 * 0. */
typedef uint64_t columns_tag(void *user, uint32_t record);

typedef struct columns_clusters {
    arena *memory;
    uint32_t n_records;
    uint32_t n_sides;
    columns_side *sides;
    int64_t max_cost;  /* no closure costs more per record */
    uint32_t capacity; /* of the arrays by cluster */
    uint32_t used;     /* ids below this have been given out */
    uint32_t *idle;    /* [n_idle] ids below used that are free again */
    uint32_t n_idle;
    uint32_t *size;
    uint32_t *room;    /* of member[c] */
    uint32_t **member; /* [capacity][room] */
    int64_t *cost;     /* [capacity] */
    uint64_t *tag;     /* [capacity] sum of the members' tags */
    uint32_t *of;      /* [n_records] */
    uint32_t *place;   /* [n_records] */
    columns_tag *tag_of;
    void *user;
} columns_clusters;

/* Starts without clusters. KITH_INVALID if costs are too large to be added up. Lives in `memory`.
 */
kith_status columns_clusters_init(columns_clusters *c, const problem *p, columns_tag *tag_of,
                                  void *user, arena *memory, kith_error *error);

#if KITH_DEBUG
/* For moments when every record is in a cluster. */
void columns_clusters_check(const columns_clusters *c);
#endif

/* A new cluster without records. Append its records, then close it. */
kith_status columns_clusters_add(columns_clusters *c, uint32_t *cluster, kith_error *error);
kith_status columns_clusters_append(columns_clusters *c, uint32_t cluster, uint32_t record,
                                    kith_error *error);
/* Computes closure, cost and tag from the members. */
void columns_clusters_close(columns_clusters *c, uint32_t cluster);
/* Frees the id of a cluster whose members are in other clusters now, or will be. */
void columns_clusters_drop(columns_clusters *c, uint32_t cluster);

/* Moves a record to another cluster in use; an emptied cluster is dropped. */
kith_status columns_clusters_move(columns_clusters *c, uint32_t record, uint32_t to,
                                  kith_error *error);
/* Moves all records of `from` into `into` and drops `from`. */
kith_status columns_clusters_merge(columns_clusters *c, uint32_t into, uint32_t from,
                                   kith_error *error);

/* Cost per record of what remains of a record's cluster without it; 0 if nothing does. */
int64_t columns_clusters_remaining(const columns_clusters *c, uint32_t record);

/* Clusters in use, and the ids of those of fewer than `below` records, ascending; list[] has room
 * for `used` ids. */
static inline uint32_t columns_clusters_count(const columns_clusters *c)
{
    return c->used - c->n_idle;
}
uint32_t columns_clusters_list(const columns_clusters *c, uint32_t *list, uint32_t below);

/* Cost of all clusters together. */
int64_t columns_clusters_total(const columns_clusters *c);

#endif
