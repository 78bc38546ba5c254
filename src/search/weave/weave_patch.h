/* A few clusters being rewoven: small enough that every record can be tried in every cluster.
 *
 * Invariants: records are known by their place in `record`; those of cluster c are the list
 * head[c], next[…] that ends with PATCH_END, size[c] of them; closure, cost and lane c of `lanes`
 * are always those of its present records. */
#ifndef SEARCH_WEAVE_WEAVE_PATCH_H
#define SEARCH_WEAVE_WEAVE_PATCH_H

#include "search/slots/lanes.h"
#include "search/weave/weave_tree.h"

#define PATCH_END UINT32_MAX
enum { PATCH_CLUSTERS = 256 };

typedef struct patch {
    const slots *slots;
    const admit *admit;
    uint32_t least;    /* records of a class */
    uint32_t capacity; /* records */
    uint32_t records;
    uint32_t *record; /* [capacity] */
    uint32_t *next;   /* [capacity] */
    uint32_t clusters;
    uint32_t head[PATCH_CLUSTERS];
    uint32_t size[PATCH_CLUSTERS];
    int32_t cost[PATCH_CLUSTERS]; /* per record */
    uint16_t *closure;            /* [PATCH_CLUSTERS * stride] */
    blocks lanes;
    uint16_t *weight;  /* scratch of a query */
    uint16_t *vector;  /* scratch: five rows */
    uint32_t *list;    /* [capacity] scratch */
    uint32_t *ejected; /* [capacity] scratch */
} patch;

kith_status patch_init(patch *p, const slots *s, const admit *a, uint32_t least, uint32_t capacity,
                       arena *memory, kith_error *error);

/* Makes a cluster of each leaf of the tree just grown over p->record. Returns false if there are
 * too many. The records of no leaf are not in any cluster yet: *ejected of them are in p->ejected,
 * by place. */
bool patch_take(patch *p, const weave_tree *t, uint32_t *ejected);
/* Puts every ejected record where that costs least; false if the models leave one without a place.
 */
bool patch_insert(patch *p, uint32_t ejected);
/* Moves single records while that helps, at most `passes` times through all clusters. */
void patch_move(patch *p, uint32_t passes);
/* Sum of size times cost. */
int64_t patch_total(const patch *p);
/* Copies the records of a cluster; returns how many. */
uint32_t patch_members(const patch *p, uint32_t cluster, uint32_t *members);

static inline uint16_t *patch_closure(const patch *p, uint32_t cluster)
{
    return p->closure + (size_t)cluster * p->slots->stride;
}

#endif
