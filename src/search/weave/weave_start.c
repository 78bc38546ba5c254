#include "search/weave/weave_start.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "search/weave/weave_trim.h"

enum { POOL_TREES = 12 };

static const double REST_SHARE = 0.6;

/* How much a split must keep under strict models is hard to tell beforehand: all are tried. */
static const double KEEP[] = {0.5, 0.65, 0.8};
enum { KEEPS = sizeof KEEP / sizeof KEEP[0] };

typedef struct growing {
    workshop *shop;
    uint32_t *members;
    const weave_node *node;
    const tree_style *style;
} growing;

static void grow_task(void *user, size_t index, unsigned worker)
{
    growing *g = user;
    context *c = g->shop->context;
    if (worker == 0 && !context_progress(c, "grow", -1))
        atomic_store(&g->shop->stop, true);
    weave_tree_resume(&g->shop->worker[worker].tree, g->members, &g->node[index], g->style);
}

static int by_place(const void *a, const void *b)
{
    const segment *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

/* All leaves of all workers, in order of place. */
static kith_status collect(segments *all, workshop *shop, kith_error *error)
{
    *all = (segments){0};
    for (unsigned i = 0; i < shop->workers; i++) {
        all->count += shop->worker[i].tree.leaf.count;
        if (shop->worker[i].tree.failed)
            return error_nomem(error);
    }
    arena *memory = shop->context->memory;
    all->item = TRY_ALLOC(arena_array(memory, all->count, sizeof *all->item), error);
    uint32_t at = 0;
    for (unsigned i = 0; i < shop->workers; i++) {
        const segments *leaf = &shop->worker[i].tree.leaf;
        if (leaf->count > 0)
            memcpy(all->item + at, leaf->item, leaf->count * sizeof *all->item);
        at += leaf->count;
    }
    qsort(all->item, all->count, sizeof *all->item, by_place);
    return KITH_OK;
}

/* Grows a tree over a list of records with all threads. */
static kith_status grow_all(segments *leaves, workshop *shop, const tree_style *style,
                            uint32_t *list, uint32_t count, kith_error *error)
{
    weave_tree *first = &shop->worker[0].tree;
    uint32_t cut = shop->workers > 1 ? shop->cut : 0;
    for (unsigned i = 0; i < shop->workers; i++)
        shop->worker[i].tree.leaf.count = 0;
    weave_tree_grow(first, list, count, style, NULL, cut);
    growing g = {shop, list, first->put_off, style};
    threads_run(shop->context->pool, first->put_off_count, grow_task, &g);
    return collect(leaves, shop, error);
}

/* Moves the records of the leaves to the partition and the others to the front of the list, of
 * which the first `grown` made the tree; returns how many these are. */
static uint32_t harvest(weaving *w, const segments *leaves, uint32_t *list, uint32_t grown,
                        uint32_t count)
{
    uint32_t at = 0, left = 0;
    for (uint32_t i = 0; i <= leaves->count; i++) {
        uint32_t end = i < leaves->count ? leaves->item[i].first : grown;
        for (; at < end; at++)
            list[left++] = list[at];
        if (i == leaves->count)
            break;
        uint32_t size = leaves->item[i].size;
        memcpy(w->members + w->start[w->count], list + at, size * sizeof *list);
        w->start[w->count + 1] = w->start[w->count] + size;
        w->count++;
        at += size;
    }
    for (; at < count; at++)
        list[left++] = list[at];
    return left;
}

static kith_status start_once(weaving *w, workshop *shop, const tree_style *style, uint32_t *list,
                              kith_error *error)
{
    uint32_t left = shop->problem->records;
    for (uint32_t i = 0; i < left; i++)
        list[i] = i;
    w->count = w->start[0] = 0;
    for (int round = 0; round < POOL_TREES && left >= shop->least; round++) {
        weave_tree *t = &shop->worker[0].tree;
        uint32_t fits = trim_set(t->admit, list, left, t->spare);
        if (fits < shop->least)
            break;
        segments leaves;
        TRY(grow_all(&leaves, shop, style, list, fits, error));
        left = harvest(w, &leaves, list, fits, left);
    }
    if (w->count == 0)
        return error_set(error, KITH_INFEASIBLE,
                         "the models do not hold even if all records form one class");
    return weave_place(w, shop, list, left, error);
}

static int64_t cost_of(const weaving *w, const chunk *c)
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

kith_status weave_start(weaving *w, workshop *shop, kith_error *error)
{
    const chunk *c = &shop->worker[0];
    arena *memory = shop->context->memory;
    weaving other;
    TRY(weaving_init(&other, shop->problem->records, shop->least, memory, error));
    uint32_t *list = TRY_ALLOC(arena_array(memory, shop->problem->records, sizeof *list), error);
    int64_t best = INT64_MAX;
    for (int i = 0; i < (c->admit.conditions > 0 ? KEEPS : 1) && !atomic_load(&shop->stop); i++) {
        tree_style style = {.rest_share = REST_SHARE, .keep = KEEP[i]};
        TRY(start_once(&other, shop, &style, list, error));
        int64_t cost = cost_of(&other, c);
        if (cost >= best)
            continue;
        best = cost;
        weaving swap = *w;
        *w = other;
        other = swap;
    }
    return KITH_OK;
}
