/* `pools`: a rest of fewer than k records leaves its set instead of borrowing. What leaves the
 * parts of a set waits in a pool; when all of these parts have become classes, the pool is a set
 * again, if it has k records, else it goes to the pool above. All parties know who left which set,
 * so each keeps the same pools without a message. */
#include <string.h>

#include "core/error.h"
#include "protocol/column_tree/column_tree_internal.h"

static kith_status add_pool(column_tree *w, column_tree_pool pool, kith_error *error)
{
    TRY_GROW(w->pools, w->pools_room, w->n_pools + 1, w->memory, error);
    w->pools[w->n_pools++] = pool;
    return KITH_OK;
}

kith_status column_tree_pools_begin(column_tree *w, kith_error *error)
{
    return add_pool(w, (column_tree_pool){.n_open = 1}, error);
}

kith_status column_tree_pools_add(column_tree *w, const column_tree_set *n, uint32_t *pool,
                                  kith_error *error)
{
    *pool = (uint32_t)w->n_pools;
    return add_pool(w, (column_tree_pool){.above = n->pool, .depth = n->depth}, error);
}

static kith_status pour(column_tree *w, column_tree_pool *to, const uint32_t *records, size_t count,
                        kith_error *error)
{
    TRY_GROW(to->records, to->room, to->count + count, w->memory, error);
    if (count > 0)
        memcpy(to->records + to->count, records, count * sizeof *records);
    to->count += count;
    return KITH_OK;
}

kith_status column_tree_pools_eject(column_tree *w, uint32_t pool, uint32_t record,
                                    kith_error *error)
{
    w->n_ejected++;
    return pour(w, &w->pools[pool], &record, 1, error);
}

/* Appends records to the members: the place of a new set. */
static kith_status append_members(column_tree *w, const uint32_t *records, size_t count,
                                  kith_error *error)
{
    if (w->n_members + count > UINT32_MAX)
        return error_nomem(error); /* a peer that ejects for ever */
    TRY_GROW(w->members, w->members_room, w->n_members + count, w->memory, error);
    memcpy(w->members + w->n_members, records, count * sizeof *records);
    w->n_members += count;
    return KITH_OK;
}

/* A loop, and not one call for each pool: a peer can make very many, one below the other. */
kith_status column_tree_pools_settle(column_tree *w, uint32_t pool, kith_error *error)
{
    for (;;) {
        column_tree_pool *p = &w->pools[pool];
        if (--p->n_open > 0)
            return KITH_OK;
        if (p->count >= w->k) {
            const size_t n_growing = w->next.count;
            /* Its records become a set, which grows further, or is a class at once. */
            const column_tree_set n = {.first = (uint32_t)w->n_members,
                                       .size = (uint32_t)p->count,
                                       .number = w->n_sets++,
                                       .pool = pool,
                                       .depth = p->depth};
            TRY(append_members(w, p->records, p->count, error));
            p->count = 0;
            p->n_open++;
            TRY(column_tree_append(w, column_tree_grows(w, &n) ? &w->next : &w->classes, n, error));
            if (w->next.count > n_growing)
                return KITH_OK;
            continue; /* a class: the pool is settled again */
        }
        if (pool == 0)
            return KITH_OK;
        TRY(pour(w, &w->pools[p->above], p->records, p->count, error));
        p->count = 0;
        pool = p->above;
    }
}

static uint32_t first_record(const column_tree *w, const column_tree_set *n)
{
    uint32_t first = UINT32_MAX;
    for (uint32_t i = 0; i < n->size; i++)
        first = w->members[n->first + i] < first ? w->members[n->first + i] : first;
    return first;
}

/* Is a class a better place for what is left? The one with fewer splits above it shows less; then
 * the smaller one, then that of the first record. */
static bool is_better_place(const column_tree *w, const column_tree_set *a,
                            const column_tree_set *b)
{
    if (a->depth != b->depth)
        return a->depth < b->depth;
    return a->size != b->size ? a->size < b->size : first_record(w, a) < first_record(w, b);
}

/* Fewer than k records are left: they join a class that all parties know. */
kith_status column_tree_pools_finish(column_tree *w, kith_error *error)
{
    const column_tree_pool *left = &w->pools[0];
    column_tree_set *to = w->classes.items;
    if (left->count == 0)
        return KITH_OK;
    for (size_t c = 1; c < w->classes.count; c++) {
        column_tree_set *other = &w->classes.items[c];
        to = is_better_place(w, other, to) ? other : to;
    }
    const uint32_t first = (uint32_t)w->n_members;
    memcpy(w->spare, w->members + to->first, to->size * sizeof *w->spare);
    TRY(append_members(w, w->spare, to->size, error));
    TRY(append_members(w, left->records, left->count, error));
    to->first = first;
    to->size += (uint32_t)left->count;
    return KITH_OK;
}
