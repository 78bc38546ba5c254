/* The few clusters of one try of a chunk: so few that every record can be tried in every cluster.
 *
 * Invariants: records are known by their place in `records`; those of cluster c are the list
 * head[c], next[…] that ends with WEAVE_PATCH_END, size[c] of them; closure, cost and lane c of
 * `lanes` are always those of its present records. */
#ifndef SEARCH_WEAVE_WEAVE_PATCH_H
#define SEARCH_WEAVE_WEAVE_PATCH_H

#include "search/slots/lanes.h"
#include "search/weave/weave_tree.h"

#define WEAVE_PATCH_END UINT32_MAX
enum { WEAVE_PATCH_CLUSTERS = 256 };

typedef struct weave_patch {
    const slots *slots;
    const class_rules *rules;
    uint32_t min_class; /* records of a class */
    uint32_t capacity;  /* records */
    uint32_t n_records;
    uint32_t *records; /* [capacity] */
    uint32_t *next;    /* [capacity] */
    uint32_t n_clusters;
    uint32_t head[WEAVE_PATCH_CLUSTERS];
    uint32_t size[WEAVE_PATCH_CLUSTERS];
    int32_t cost[WEAVE_PATCH_CLUSTERS]; /* per record */
    uint16_t *closure;                  /* [WEAVE_PATCH_CLUSTERS * stride] */
    cluster_lanes lanes;
    uint16_t *weight;  /* scratch of a query */
    uint16_t *vector;  /* scratch: five rows */
    uint32_t *list;    /* [capacity] scratch */
    uint32_t *ejected; /* [capacity] scratch */
} weave_patch;

kith_status weave_patch_init(weave_patch *p, const slots *s, const class_rules *a,
                             uint32_t min_class, uint32_t capacity, arena *memory,
                             kith_error *error);

/* Makes a cluster of each leaf of the tree just grown over p->records. Returns false if there are
 * too many. The records of no leaf are not in any cluster yet: *ejected of them are in p->ejected,
 * by place. */
bool weave_patch_take(weave_patch *p, const weave_tree *t, uint32_t *ejected);
/* Puts every ejected record into the cluster where it costs least; false if the models allow some
 * record in no cluster. */
bool weave_patch_insert(weave_patch *p, uint32_t ejected);
/* Moves single records while that helps, at most `n_passes` times through all clusters. */
void weave_patch_move(weave_patch *p, uint32_t n_passes);
/* Sum of size times cost. */
int64_t weave_patch_total(const weave_patch *p);
/* Copies the records of a cluster; returns how many. */
uint32_t weave_patch_members(const weave_patch *p, uint32_t cluster, uint32_t *members);

static inline uint16_t *weave_patch_closure(const weave_patch *p, uint32_t cluster)
{
    return p->closure + (size_t)cluster * p->slots->stride;
}

#endif
