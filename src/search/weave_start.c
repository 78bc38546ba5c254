#include "search/weave_start.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"

enum { POOL_TREES = 12 };

static const tree_style style = {.rest_share = 0.6};

typedef struct growing {
    workshop *shop;
    uint32_t *members;
    const weave_node *node;
} growing;

static void grow_task(void *user, size_t index, unsigned worker)
{
    growing *g = user;
    context *c = g->shop->context;
    if (worker == 0 && !context_progress(c, "grow", -1))
        atomic_store(&g->shop->stop, true);
    weave_tree_resume(&g->shop->worker[worker].tree, g->members, &g->node[index], &style);
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
    all->item = arena_array(memory, (size_t)all->count + 1, sizeof *all->item);
    TRY_ALLOC(all->item, error);
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
static kith_status grow_all(segments *leaves, workshop *shop, uint32_t *list, uint32_t count,
                            kith_error *error)
{
    weave_tree *first = &shop->worker[0].tree;
    uint32_t cut = shop->workers > 1 ? shop->cut : 0;
    for (unsigned i = 0; i < shop->workers; i++)
        shop->worker[i].tree.leaf.count = 0;
    weave_tree_grow(first, list, count, &style, NULL, cut);
    growing g = {shop, list, first->put_off};
    threads_run(shop->context->pool, first->put_off_count, grow_task, &g);
    return collect(leaves, shop, error);
}

/* Moves the records of the leaves to the partition and the others to the front of the list;
 * returns how many these are. */
static uint32_t harvest(weaving *w, const segments *leaves, uint32_t *list, uint32_t count)
{
    uint32_t at = 0, left = 0;
    for (uint32_t i = 0; i <= leaves->count; i++) {
        uint32_t end = i < leaves->count ? leaves->item[i].first : count;
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
    return left;
}

kith_status weave_start(weaving *w, workshop *shop, kith_error *error)
{
    uint32_t left = shop->problem->records;
    uint32_t *list = arena_array(shop->context->memory, left, sizeof *list);
    TRY_ALLOC(list, error);
    for (uint32_t i = 0; i < left; i++)
        list[i] = i;
    w->count = w->start[0] = 0;
    for (int round = 0; round < POOL_TREES && left >= shop->least; round++) {
        if (!admit_class(&shop->worker[0].admit, list, left))
            break;
        segments leaves;
        TRY(grow_all(&leaves, shop, list, left, error));
        left = harvest(w, &leaves, list, left);
    }
    if (w->count == 0)
        return error_set(error, KITH_INFEASIBLE,
                         "the models do not hold even if all records form one class");
    return weave_place(w, shop, list, left, error);
}
