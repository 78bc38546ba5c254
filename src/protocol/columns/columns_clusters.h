/* Clusters of records of which one party sees some columns: who is in which cluster is known to
 * all, closures and costs are those of its own columns.
 *
 * Invariants: cluster c is in use iff size[c] > 0; closure, cost (per record) and tag are always
 * those of its present members; record i is member[of[i]][place[i]]. Ids are given out and taken
 * back in an order that depends on the calls alone, so that parties that make the same calls have
 * the same ids.
 *
 * Costs are integers, COLUMN_UNIT per unit of the measure, rounded node by node: what parties find
 * for their own columns adds up to what one party with all columns finds. */
#ifndef PROTOCOL_COLUMNS_COLUMNS_CLUSTERS_H
#define PROTOCOL_COLUMNS_COLUMNS_CLUSTERS_H

#include <stdint.h>

#include "core/arena.h"
#include "search/problem.h"

#define COLUMN_UNIT 16777216.0

/* One column of this party. */
typedef struct column_side {
    const tree *tree;
    const uint32_t *cells;
    int64_t *cost;     /* [nodes] */
    int64_t *joint;    /* [nodes * nodes] cost of the common ancestor; NULL for large trees */
    uint32_t *closure; /* [capacity] */
} column_side;

/* Names the record in hashes of memberships; NULL: there are none. */
typedef uint64_t column_tag(void *user, uint32_t record);

typedef struct column_clusters {
    arena *memory;
    uint32_t records;
    uint32_t sides;
    column_side *side;
    int64_t dearest;   /* no closure costs more per record */
    uint32_t capacity; /* of the arrays by cluster */
    uint32_t used;     /* ids below this have been given out */
    uint32_t *idle;    /* [idle_count] ids below used that are free again */
    uint32_t idle_count;
    uint32_t *size;
    uint32_t *room;    /* of member[c] */
    uint32_t **member; /* [capacity][room] */
    int64_t *cost;     /* [capacity] */
    uint64_t *tag;     /* [capacity] sum of the members' tags */
    uint32_t *of;      /* [records] */
    uint32_t *place;   /* [records] */
    column_tag *tag_of;
    void *user;
} column_clusters;

/* No clusters yet. KITH_INVALID if costs are too large to be added up. Lives in `memory`. */
kith_status column_clusters_init(column_clusters *c, const problem *p, column_tag *tag_of,
                                 void *user, arena *memory, kith_error *error);

/* A new cluster without records, to be filled with append and closed with close. */
kith_status column_clusters_add(column_clusters *c, uint32_t *cluster, kith_error *error);
kith_status column_clusters_append(column_clusters *c, uint32_t cluster, uint32_t record,
                                   kith_error *error);
/* Computes closure, cost and tag from the members. */
void column_clusters_close(column_clusters *c, uint32_t cluster);
/* Forgets all members, which have gone elsewhere, and frees the id. */
void column_clusters_drop(column_clusters *c, uint32_t cluster);

/* Moves a record to another cluster in use; an emptied cluster is dropped. */
kith_status column_clusters_move(column_clusters *c, uint32_t record, uint32_t to,
                                 kith_error *error);
/* Moves all records of `from` into `into` and drops `from`. */
kith_status column_clusters_merge(column_clusters *c, uint32_t into, uint32_t from,
                                  kith_error *error);

/* Cost per record of what remains of a record's cluster without it; 0 if nothing does. */
int64_t column_clusters_remaining(const column_clusters *c, uint32_t record);

/* Clusters in use, and the ids of those of fewer than `below` records, ascending; list[] has room
 * for `used` ids. */
static inline uint32_t column_clusters_count(const column_clusters *c)
{
    return c->used - c->idle_count;
}
uint32_t column_clusters_list(const column_clusters *c, uint32_t *list, uint32_t below);

/* Cost of all clusters together. */
int64_t column_clusters_total(const column_clusters *c);

#endif
