/* D: owners tell all parties the parts of their sets. */
#include <string.h>

#include "core/error.h"
#include "protocol/column_tree/column_tree_internal.h"
#include "smc/smc.h"

static const message_type parts_type = {"column.parts", DISCLOSE_CHOICE}; /* message 15 */

/* The parts of the sets of one owner, a byte for every record. */
typedef struct told {
    uint8_t *bytes;
    size_t length;
} told;

static kith_status column_tree_divide_exchange(column_tree *w, told *tell, const uint32_t *owner,
                                               uint8_t *const *mine, const uint32_t *side,
                                               arena *scratch, kith_error *error)
{
    const uint32_t m = party_count(w->party), self = party_self(w->party);
    size_t n_heard = 0;
    for (size_t i = 0; i < w->open.count; i++)
        if (owner[i] != COLUMN_TREE_NOBODY)
            tell[owner[i]].length += w->open.items[i].size;
    for (uint32_t j = 0; j < m; j++)
        tell[j].bytes = TRY_ALLOC(arena_array(scratch, tell[j].length + 1, 1), error);
    /* This party's own sets. */
    size_t at = 0;
    for (size_t i = 0; i < w->open.count; i++) {
        const column_tree_set *n = &w->open.items[i];
        column_tree_slot slot = {.side = side[i]};
        if (owner[i] != party_self(w->party))
            continue;
        TRY(party_poll(w->party, error));
        column_tree_offer_slot(w, &slot, n);
        column_tree_lend_seal(w, mine[i], n, &slot);
        memcpy(tell[self].bytes + at, mine[i], n->size);
        at += n->size;
    }
    for (uint32_t j = 0; j < m; j++)
        if (j != self && tell[self].length > 0)
            TRY(smc_send(w->party, j, &parts_type, tell[self].bytes, tell[self].length, error));
    for (uint32_t j = 0; j < m; j++)
        if (j != self && tell[j].length > 0) {
            TRY(smc_recv(w->party, j, &parts_type, tell[j].bytes, tell[j].length, error));
            n_heard += tell[j].length;
        }
    if (n_heard > 0)
        party_learns(w->party, DISCLOSE_CHOICE, "parts of sets", n_heard);
    return KITH_OK;
}

/* Counts the records of each part. Parts must be numbered in the order of their first records, and
 * each must be large enough for a class; those that leave for a pool are not. */
static kith_status count_parts(const column_tree *w, uint32_t *count, uint32_t *n_parts,
                               const uint8_t *branch, uint32_t size, uint32_t owner,
                               kith_error *error)
{
    uint32_t n_ejected = 0;
    bool good = true;
    *n_parts = 0;
    for (uint32_t i = 0; good && i < size; i++) {
        if (w->task->options->pools && branch[i] == COLUMN_TREE_EJECTED) {
            n_ejected++;
            continue;
        }
        good = branch[i] <= *n_parts && branch[i] <= COLUMN_TREE_MAX_LIVE;
        if (good && branch[i] == *n_parts)
            count[(*n_parts)++] = 0;
        if (good)
            count[branch[i]]++;
    }
    for (uint32_t b = 0; good && b < *n_parts; b++)
        good = count[b] >= w->k;
    if (good && n_ejected<w->k && * n_parts>(n_ejected == 0))
        return KITH_OK;
    return party_protocol_error(w->party, owner, error, "sent parts that are no division of a set");
}

kith_status column_tree_append(column_tree *w, column_tree_sets *to, column_tree_set n,
                               kith_error *error)
{
    if (to->count == to->room) {
        const size_t room = arena_capacity(to->room, to->count + 1);
        to->items = TRY_ALLOC(
            arena_resize_array(w->memory, to->items, to->room, room, sizeof *to->items), error);
        to->room = room;
    }
    to->items[to->count++] = n;
    return KITH_OK;
}

kith_status column_tree_add_class(column_tree *w, column_tree_set n, kith_error *error)
{
    TRY(column_tree_append(w, &w->classes, n, error));
    return w->task->options->pools ? column_tree_pools_settle(w, n.pool, error) : KITH_OK;
}

bool column_tree_grows(const column_tree *w, const column_tree_set *n)
{
    /* With pools a few records may leave a set. */
    return w->task->options->pools ? n->size > w->k : n->size / 2 >= w->k;
}

kith_status column_tree_add(column_tree *w, column_tree_sets *growing, column_tree_set n,
                            kith_error *error)
{
    n.number = w->n_sets++;
    return column_tree_grows(w, &n) ? column_tree_append(w, growing, n, error)
                                    : column_tree_add_class(w, n, error);
}

/* Splits a set, and adds its parts. */
static kith_status column_tree_divide_set(column_tree *w, const column_tree_set *n,
                                          const uint8_t *branch, uint32_t owner, kith_error *error)
{
    uint32_t count[COLUMN_TREE_MAX_LIVE + 1], to[COLUMN_TREE_MAX_LIVE + 1], n_parts, pool = 0;
    TRY(count_parts(w, count, &n_parts, branch, n->size, owner, error));
    if (w->recorder != NULL && owner != party_self(w->party))
        w->recorder->parts(w->recorder->user, &(column_tree_parts){.set = n->number,
                                                                   .owner = owner,
                                                                   .size = n->size,
                                                                   .members = w->members + n->first,
                                                                   .parts = branch});
    for (uint32_t b = 0, first = n->first; b < n_parts; first += count[b++])
        to[b] = first;
    /* The members, sorted by part; those that leave go to the pool. */
    memcpy(w->spare, w->members + n->first, n->size * sizeof *w->spare);
    for (uint32_t i = 0; i < n->size; i++)
        if (branch[i] == COLUMN_TREE_EJECTED)
            TRY(column_tree_pools_eject(w, n->pool, w->spare[i], error));
        else
            w->members[to[branch[i]]++] = w->spare[i];
    if (w->task->options->pools) {
        TRY(column_tree_pools_add(w, n, &pool, error));
        w->pools[pool].n_open = n_parts;
    }
    for (uint32_t b = 0, first = n->first; b < n_parts; first += count[b++])
        TRY(column_tree_add(
            w, &w->next,
            (column_tree_set){
                .first = first, .size = count[b], .pool = pool, .depth = n->depth + 1},
            error));
    return KITH_OK;
}

kith_status column_tree_divide(column_tree *w, const uint32_t *owner, uint8_t *const *mine,
                               const uint32_t *side, kith_error *error)
{
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(w->memory), error);
    told *tell = TRY_ZEROS(tell, scratch, party_count(w->party), error);
    TRY(column_tree_divide_exchange(w, tell, owner, mine, side, scratch, error));
    w->next.count = 0;
    for (size_t i = 0; i < w->open.count; i++) {
        const column_tree_set n = w->open.items[i];
        if (owner[i] == COLUMN_TREE_NOBODY) {
            TRY(column_tree_add_class(w, n, error));
            continue;
        }
        told *from = &tell[owner[i]];
        TRY(column_tree_divide_set(w, &n, from->bytes, owner[i], error));
        from->bytes += n.size;
    }
    const column_tree_sets done = w->open;
    w->open = w->next;
    w->next = done;
    return KITH_OK;
}
