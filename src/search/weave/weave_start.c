#include "search/weave/weave_start.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/sort.h"
#include "search/weave/weave_chunk.h"
#include "search/weave/weave_leftovers.h"
#include "search/weave/weave_trim.h"

enum { MAX_TREES = 12 };

/* A pool is tried with the classes of others only if it is at most this part of all records. */
enum { SMALL_POOL = 16 };

/* Measured on Adult: what a split with a large rest is worth, relative to one without. */
static const double REST_SHARE = 0.6;

/* Which share of a set a split should keep depends on table and models. Where models have
 * conditions a start is made with each of these, and the cheapest wins. */
static const double KEEP[] = {0.5, 0.65, 0.8};
enum { N_KEEP = sizeof KEEP / sizeof KEEP[0] };

typedef struct grow_tasks {
    weave_shared *shared;
    uint32_t *members;
    const weave_node *node;
    const weave_tree_style *style;
} grow_tasks;

/* Grows one of the sets that the first worker has put off. */
static void grow_task(void *user, size_t index, unsigned worker)
{
    grow_tasks *g = user;
    context *c = g->shared->context;
    if (worker == 0 && !context_progress(c, "grow", -1))
        atomic_store(&g->shared->stop, true);
    weave_tree_resume(&g->shared->workers[worker].tree, g->members, &g->node[index], g->style);
}

/* The leaves of all workers by place, so that their order does not depend on which worker grew
 * which set. */
static kith_status collect_leaves(segments *all, weave_shared *shared, kith_error *error)
{
    *all = (segments){0};
    for (unsigned i = 0; i < shared->n_workers; i++) {
        all->count += shared->workers[i].tree.leaves.count;
        if (shared->workers[i].tree.failed)
            return error_nomem(error);
    }
    arena *memory = shared->context->memory;
    all->items = TRY_ARRAY(all->items, memory, all->count, error);
    uint32_t at = 0;
    for (unsigned i = 0; i < shared->n_workers; i++) {
        const segments *leaf = &shared->workers[i].tree.leaves;
        if (leaf->count > 0)
            memcpy(all->items + at, leaf->items, leaf->count * sizeof *all->items);
        at += leaf->count;
    }
    qsort(all->items, all->count, sizeof *all->items, sort_uint32);
    return KITH_OK;
}

/* Grows a tree over a list of records with all threads. */
static kith_status grow_all(segments *leaves, weave_shared *shared, const weave_tree_style *style,
                            uint32_t *list, uint32_t count, kith_error *error)
{
    weave_tree *first = &shared->workers[0].tree;
    uint32_t cut = shared->n_workers > 1 ? shared->task_records : 0;
    for (unsigned i = 0; i < shared->n_workers; i++)
        shared->workers[i].tree.leaves.count = 0;
    weave_tree_grow(first, list, count, style, NULL, cut);
    grow_tasks g = {shared, list, first->put_off.items, style};
    threads_run(shared->context->pool, first->put_off.count, grow_task, &g);
    return collect_leaves(leaves, shared, error);
}

/* Appends the leaves to the partition and moves all other records to the front of the list; returns
 * how many these are. The tree was grown over the first `grown` of the list. */
static uint32_t move_leaves(weave_partition *w, const segments *leaves, uint32_t *list,
                            uint32_t grown, uint32_t count)
{
    uint32_t at = 0, left = 0;
    for (uint32_t i = 0; i <= leaves->count; i++) {
        uint32_t end = i < leaves->count ? leaves->items[i].first : grown;
        for (; at < end; at++)
            list[left++] = list[at];
        if (i == leaves->count)
            break;
        uint32_t size = leaves->items[i].size;
        memcpy(w->members + w->start[w->count], list + at, size * sizeof *list);
        w->start[w->count + 1] = w->start[w->count] + size;
        w->count++;
        at += size;
    }
    for (; at < count; at++)
        list[left++] = list[at];
    return left;
}

/* Total cost of a partition; the closure of the worker is scratch. */
static int64_t cost_of(const weave_partition *w, const weave_chunk *c)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        const uint32_t *members = w->members + w->start[i];
        uint32_t size = w->start[i + 1] - w->start[i];
        slots_close(c->slots, c->closure, members, size);
        sum += (int64_t)size * slots_cost(c->slots, c->closure, members[0]);
    }
    return sum;
}

/* Has a tree kept the whole list as one class that shows no more than all records have in common?
 */
static bool keeps_nothing(const weave_partition *w, const segments *leaves, const weave_chunk *c,
                          const uint32_t *list, uint32_t count)
{
    if (leaves->count != 1 || leaves->items[0].size != count)
        return false;
    slots_close(c->slots, c->closure, list, count);
    for (uint32_t m = 0; m < w->start[w->count]; m++) {
        const uint16_t *row = slots_row(c->slots, w->members[m]);
        for (uint32_t s = 0; s < c->slots->count; s++)
            if (c->closure[s] != SLOT_NONE && c->closure[s] != row[s])
                return false;
    }
    return true;
}

/* The partition that `w` becomes if the classes that it has so far take all that is left. */
static kith_status without_pool(weave_partition *other, const weave_partition *w,
                                weave_shared *shared, const uint32_t *list, uint32_t left,
                                kith_error *error)
{
    TRY(weave_partition_init(other, shared->problem->n_records, shared->min_class,
                             shared->context->memory, error));
    other->count = w->count;
    memcpy(other->start, w->start, ((size_t)w->count + 1) * sizeof *w->start);
    memcpy(other->members, w->members, w->start[w->count] * sizeof *w->members);
    return weave_leftovers(other, shared, list, left, error);
}

/* One start. What trees eject is the list of the next tree, until too little is left. Where records
 * with nothing in common become a class, the classes before it may be cheaper for them. */
static kith_status start_once(weave_partition *w, weave_shared *shared,
                              const weave_tree_style *style, uint32_t *list, kith_error *error)
{
    const uint32_t n_records = shared->problem->n_records;
    const weave_chunk *first = &shared->workers[0];
    weave_partition other = {0};
    uint32_t left = n_records;
    for (uint32_t i = 0; i < left; i++)
        list[i] = i;
    w->count = w->start[0] = 0;
    for (int round = 0; round < MAX_TREES && left >= shared->min_class; round++) {
        weave_tree *t = &shared->workers[0].tree;
        uint32_t fits = weave_trim(t->rules, list, left, t->spare);
        if (fits < shared->min_class)
            break;
        segments leaves;
        TRY(grow_all(&leaves, shared, style, list, fits, error));
        if (w->count > 0 && other.count == 0 && left <= n_records / SMALL_POOL &&
            keeps_nothing(w, &leaves, first, list, left))
            TRY(without_pool(&other, w, shared, list, left, error));
        left = move_leaves(w, &leaves, list, fits, left);
    }
    if (w->count == 0)
        return error_set(error, KITH_INFEASIBLE,
                         "the models do not hold even if all records form one class");
    TRY(weave_leftovers(w, shared, list, left, error));
    if (other.count > 0 && cost_of(&other, first) < cost_of(w, first))
        *w = other;
    return KITH_OK;
}

kith_status weave_start(weave_partition *w, weave_shared *shared, kith_error *error)
{
    const weave_chunk *c = &shared->workers[0];
    arena *memory = shared->context->memory;
    weave_partition other;
    TRY(weave_partition_init(&other, shared->problem->n_records, shared->min_class, memory, error));
    uint32_t *list = TRY_ARRAY(list, memory, shared->problem->n_records, error);
    int64_t best = INT64_MAX;
    const int n_starts = c->rules.n_conditions > 0 && !c->rules.only_units ? N_KEEP : 1;
    for (int i = 0; i < n_starts && !atomic_load(&shared->stop); i++) {
        weave_tree_style style = {.rest_share = REST_SHARE, .keep = KEEP[i]};
        TRY(start_once(&other, shared, &style, list, error));
        int64_t cost = cost_of(&other, c);
        if (cost >= best)
            continue;
        best = cost;
        weave_partition swap = *w;
        *w = other;
        other = swap;
    }
    CHECK(weave_partition_check(w, shared));
    return KITH_OK;
}
