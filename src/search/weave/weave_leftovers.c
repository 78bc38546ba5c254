#include "search/weave/weave_leftovers.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "search/weave/weave_chunk.h"

/* Nearest clusters that are tried before all others. */
enum { N_CANDIDATES = 16 };
#define NONE UINT32_MAX

/* Clusters that receive records one by one. Those newly placed in cluster c are the list head[c],
 * next[…] of positions in `list`. */
typedef struct leftover_search {
    weave_partition *w; /* the clusters before; rewritten in the end */
    weave_shared *shared;
    const uint32_t *list; /* the records without a cluster */
    uint32_t *head;       /* [n_clusters] or NONE */
    uint32_t *next;       /* [count] */
    uint32_t *size;       /* [n_clusters] */
    uint16_t *closure;    /* [n_clusters * stride] */
    bool *gone;           /* [n_clusters] united with another */
    uint32_t *scratch;    /* [n_records] */
    cluster_lanes lanes;
    uint16_t *weight;
} leftover_search;

/* Shows a cluster to queries; `member` is any record of it. */
static void weave_leftovers_show(leftover_search *p, uint32_t c, uint32_t member)
{
    const uint16_t *closure = p->closure + (size_t)c * p->shared->slots.stride;
    lanes_set(&p->lanes, c, closure, p->size[c], slots_cost(&p->shared->slots, closure, member));
}

static kith_status leftover_search_init(leftover_search *p, weave_partition *w,
                                        weave_shared *shared, const uint32_t *list, uint32_t count,
                                        kith_error *error)
{
    arena *memory = shared->context->memory;
    const slots *s = &shared->slots;
    *p = (leftover_search){.w = w, .shared = shared, .list = list};
    p->head = TRY_ARRAY(p->head, memory, w->count, error);
    p->next = TRY_ARRAY(p->next, memory, count, error);
    p->size = TRY_ARRAY(p->size, memory, w->count, error);
    p->closure = TRY_ARRAY(p->closure, memory, (size_t)w->count * s->stride, error);
    p->gone = TRY_ZEROS(p->gone, memory, w->count, error);
    p->scratch = TRY_ARRAY(p->scratch, memory, s->n_records, error);
    p->weight = TRY_ARRAY(p->weight, memory, s->stride, error);
    TRY(lanes_init(&p->lanes, s, w->count / LANES_PER_BLOCK + 1, memory, error));
    p->lanes.n_blocks = p->lanes.capacity;
    for (uint32_t c = 0; c < w->count; c++) {
        const uint32_t *members = w->members + w->start[c];
        p->size[c] = w->start[c + 1] - w->start[c];
        p->head[c] = NONE;
        slots_close(s, p->closure + (size_t)c * s->stride, members, p->size[c]);
        weave_leftovers_show(p, c, members[0]);
    }
    return KITH_OK;
}

/* Lists the present records of a cluster behind scratch[at]; returns the new end. */
static uint32_t append_members(const leftover_search *p, uint32_t c, uint32_t at)
{
    const weave_partition *w = p->w;
    uint32_t first = w->start[c], old = w->start[c + 1] - first;
    memcpy(p->scratch + at, w->members + first, old * sizeof *p->scratch);
    at += old;
    for (uint32_t i = p->head[c]; i != NONE; i = p->next[i])
        p->scratch[at++] = p->list[i];
    return at;
}

/* May the record join the cluster, as it is now, without breaking a model? */
static bool may_join(const leftover_search *p, uint32_t c, uint32_t record)
{
    const class_rules *a = &p->shared->workers[0].rules;
    return a->grows || class_rules_join_valid(a, p->scratch, append_members(p, c, 0), record);
}

/* The cheapest of all clusters that may take the record, or NONE. */
static uint32_t search_all(const leftover_search *p, const query *q, uint32_t record)
{
    uint32_t best = NONE;
    int32_t min_score = LANES_FAR, score[LANES_PER_BLOCK] __attribute__((aligned(64)));
    for (uint32_t block = 0; block < p->lanes.n_blocks; block++) {
        lanes_score(&p->lanes, block, q, score);
        for (uint32_t i = 0; i < LANES_PER_BLOCK; i++) {
            if (score[i] >= min_score || !may_join(p, block * LANES_PER_BLOCK + i, record))
                continue;
            min_score = score[i];
            best = block * LANES_PER_BLOCK + i;
        }
    }
    return best;
}

/* The cheapest cluster that may take the record, or NONE. It is usually one of the nearest. */
static uint32_t choose_cluster(const leftover_search *p, uint32_t record)
{
    neighbour near[N_CANDIDATES];
    query q = lanes_query(&p->shared->slots, record, p->weight);
    bool any = p->shared->workers[0].rules.grows;
    uint32_t found = lanes_nearest(&p->lanes, &q, near, any ? 1 : N_CANDIDATES);
    for (uint32_t n = 0; n < found; n++)
        if (may_join(p, near[n].lane, record))
            return near[n].lane;
    return found < N_CANDIDATES ? NONE : search_all(p, &q, record);
}

/* Gives record i of the list to a cluster; false if none may take it. */
static bool weave_leftovers_place(leftover_search *p, uint32_t i)
{
    uint32_t record = p->list[i], c = choose_cluster(p, record);
    const slots *s = &p->shared->slots;
    if (c == NONE)
        return false;
    p->next[i] = p->head[c];
    p->head[c] = i;
    p->size[c]++;
    slots_join(s, p->closure + (size_t)c * s->stride, record);
    weave_leftovers_show(p, c, record);
    return true;
}

static int by_score(const void *a, const void *b)
{
    const neighbour *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? -1 : 1;
    return (x->lane > y->lane) - (x->lane < y->lane);
}

/* Unites clusters with the stuck records scratch[0 … *size-1], nearest first, twice as many each
 * time, until all models hold; the united records end up in scratch. */
static bool weave_leftovers_unite(leftover_search *p, const neighbour *order, uint32_t count,
                                  uint32_t *size)
{
    const class_rules *a = &p->shared->workers[0].rules;
    uint32_t taken = 0;
    for (uint32_t step = 1; taken < count; step *= 2) {
        for (uint32_t n = 0; n < step && taken < count; n++, taken++) {
            *size = append_members(p, order[taken].lane, *size);
            p->gone[order[taken].lane] = true;
        }
        if (*size >= p->shared->min_class && class_rules_allow(a, p->scratch, *size))
            return true;
    }
    return false;
}

/* Writes all clusters to the partition, the united one last. */
static kith_status rewrite(leftover_search *p, const uint32_t *united, uint32_t size,
                           kith_error *error)
{
    weave_partition *w = p->w;
    arena *memory = p->shared->context->memory;
    uint32_t *members = TRY_ARRAY(members, memory, p->shared->slots.n_records, error);
    uint32_t *scratch = p->scratch, count = 0, at = 0, old = w->count;
    p->scratch = members;
    uint32_t *start = TRY_ARRAY(start, memory, (size_t)old + 2, error);
    start[0] = 0;
    for (uint32_t c = 0; c < old; c++) {
        if (p->gone[c])
            continue;
        at = append_members(p, c, at);
        start[++count] = at;
    }
    if (size > 0) {
        memcpy(members + at, united, size * sizeof *members);
        start[++count] = at + size;
    }
    p->scratch = scratch;
    memcpy(w->members, members, start[count] * sizeof *members);
    memcpy(w->start, start, ((size_t)count + 1) * sizeof *start);
    w->count = count;
    return KITH_OK;
}

kith_status weave_leftovers(weave_partition *w, weave_shared *shared, const uint32_t *list,
                            uint32_t count, kith_error *error)
{
    if (count == 0)
        return KITH_OK;
    leftover_search p;
    TRY(leftover_search_init(&p, w, shared, list, count, error));
    uint32_t stuck = 0,
             *stuck_list =
                 TRY_ALLOC(arena_array(shared->context->memory, count, sizeof *stuck_list), error);
    for (uint32_t i = 0; i < count; i++)
        if (!weave_leftovers_place(&p, i))
            stuck_list[stuck++] = list[i];
    if (stuck == 0)
        return rewrite(&p, NULL, 0, error);
    /* The clusters from the nearest to the farthest for a record. */
    const slots *s = &p.shared->slots;
    neighbour *order = TRY_ARRAY(order, p.shared->context->memory, p.w->count, error);
    for (uint32_t c = 0; c < p.w->count; c++)
        order[c] =
            (neighbour){slots_joint_cost(s, p.closure + (size_t)c * s->stride, stuck_list[0]), c};
    qsort(order, p.w->count, sizeof *order, by_score);
    memcpy(p.scratch, stuck_list, stuck * sizeof *stuck_list);
    if (!weave_leftovers_unite(&p, order, w->count, &stuck))
        return error_set(error, KITH_INFEASIBLE,
                         "the models do not hold even if all records form one class");
    return rewrite(&p, p.scratch, stuck, error);
}
