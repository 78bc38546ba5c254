#include "protocol/view/view_packet.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/sort.h"

/* Bytes to be sorted, with their place before. */
typedef struct placed {
    point point;
    uint32_t place;
} placed;

#if KITH_DEBUG
void view_packet_check(const view_packet *packet)
{
    for (uint32_t j = 0; j < packet->n_columns; j++) {
        const view_column *c = &packet->columns[j];
        ASSERT(c->n_levels <= VIEW_LEVELS && c->start[0] == 0);
        ASSERT(c->n_entries == c->start[c->n_levels]);
        for (uint32_t level = 0; level < c->n_levels; level++) {
            ASSERT(c->start[level] <= c->start[level + 1]);
            for (uint32_t e = c->start[level]; e < c->start[level + 1]; e++) {
                if (c->parent[e] == VIEW_NONE)
                    continue;
                ASSERT(level + 1 < c->n_levels);
                ASSERT(c->parent[e] >= c->start[level + 1] && c->parent[e] < c->start[level + 2]);
            }
        }
        for (uint32_t i = 0; i < packet->n_rows && c->n_levels > 0; i++)
            ASSERT(c->codes[i] < c->n_entries || c->codes[i] == VIEW_NONE);
    }
}

void view_packet_check_sorted(const view_packet *packet)
{
    view_packet_check(packet);
    for (uint32_t j = 0; j < packet->n_columns; j++) {
        const view_column *c = &packet->columns[j];
        for (uint32_t level = 0; level < c->n_levels; level++)
            for (uint32_t e = c->start[level] + 1; e < c->start[level + 1]; e++)
                ASSERT(memcmp(&c->entries[e - 1], &c->entries[e], sizeof *c->entries) < 0);
    }
}
#endif

kith_status view_packet_init(view_packet *packet, arena *memory, uint32_t n_columns,
                             uint32_t n_rows, bool tids, kith_error *error)
{
    *packet = (view_packet){.memory = memory, .n_rows = n_rows, .n_columns = n_columns};
    packet->columns = TRY_ALLOC(arena_zalloc(memory, n_columns, sizeof *packet->columns), error);
    if (tids)
        packet->tid = TRY_ALLOC(arena_array(memory, n_rows, sizeof *packet->tid), error);
    return KITH_OK;
}

kith_status view_packet_column(view_packet *packet, uint32_t column, uint32_t n_levels,
                               const uint32_t *start, kith_error *error)
{
    ASSERT(column < packet->n_columns && packet->columns[column].n_levels == 0);
    ASSERT(n_levels > 0 && n_levels <= VIEW_LEVELS && start[0] == 0);
    view_column c = {.n_levels = n_levels, .n_entries = start[n_levels]};
    memcpy(c.start, start, ((size_t)n_levels + 1) * sizeof *start);
    c.entries = TRY_ALLOC(arena_array(packet->memory, c.n_entries, sizeof *c.entries), error);
    return view_packet_adopt(packet, column, &c, error);
}

kith_status view_packet_adopt(view_packet *packet, uint32_t column, const view_column *sized,
                              kith_error *error)
{
    ASSERT(column < packet->n_columns && packet->columns[column].n_levels == 0);
    view_column *c = &packet->columns[column];
    *c = *sized;
    c->parent = arena_array(packet->memory, c->n_entries, sizeof *c->parent);
    c->mark = arena_zalloc(packet->memory, c->n_entries, sizeof *c->mark);
    c->codes = arena_array(packet->memory, packet->n_rows, sizeof *c->codes);
    if (c->parent == NULL || c->mark == NULL || c->codes == NULL)
        return error_nomem(error);
    memset(c->parent, 0xff, c->n_entries * sizeof *c->parent);
    return KITH_OK;
}

void view_packet_release_tids(view_packet *packet)
{
    if (packet->tid != NULL)
        arena_release(packet->memory, packet->tid, packet->n_rows * sizeof *packet->tid);
    packet->tid = NULL;
}

void view_packet_release_column(view_packet *packet, uint32_t column)
{
    view_column *c = &packet->columns[column];
    if (c->codes != NULL) {
        arena_release(packet->memory, c->entries, c->n_entries * sizeof *c->entries);
        arena_release(packet->memory, c->parent, c->n_entries * sizeof *c->parent);
        arena_release(packet->memory, c->mark, c->n_entries * sizeof *c->mark);
        arena_release(packet->memory, c->codes, packet->n_rows * sizeof *c->codes);
    }
    *c = (view_column){0};
}

void view_packet_release(view_packet *packet)
{
    for (uint32_t j = 0; j < packet->n_columns; j++)
        view_packet_release_column(packet, j);
    view_packet_release_tids(packet);
    *packet = (view_packet){0};
}

void view_packet_recode_column(view_column *c, uint32_t n_rows, const uint32_t *new_of_old)
{
    for (uint32_t i = 0; i < n_rows; i++)
        if (c->codes[i] != VIEW_NONE)
            c->codes[i] = new_of_old[c->codes[i]];
    for (uint32_t e = 0; e < c->n_entries; e++)
        if (c->parent[e] != VIEW_NONE)
            c->parent[e] = new_of_old[c->parent[e]];
}

/* Sorts the entries of one level and fills in new_of_old; parents and marks are not moved yet.
 * False if two entries are the same. */
static bool sort_level(view_column *c, uint32_t level, placed *sorted, uint32_t *new_of_old)
{
    const uint32_t from = c->start[level], count = c->start[level + 1] - from;
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = (placed){c->entries[from + i], from + i};
    qsort(sorted, count, sizeof *sorted, sort_32_bytes);
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0 && sort_32_bytes(&sorted[i - 1], &sorted[i]) == 0)
            return false;
        c->entries[from + i] = sorted[i].point;
        new_of_old[sorted[i].place] = from + i;
    }
    return true;
}

kith_status view_packet_sort(view_packet *packet, kith_error *error)
{
    arena *memory = packet->memory;
    CHECK(view_packet_check(packet));
    for (uint32_t j = 0; j < packet->n_columns; j++) {
        view_column *c = &packet->columns[j];
        const size_t room = c->n_entries;
        if (c->n_levels == 0)
            continue;
        placed *sorted = TRY_ALLOC(arena_array(memory, room, sizeof *sorted), error);
        uint32_t *new_of_old = TRY_ALLOC(arena_array(memory, room, sizeof *new_of_old), error);
        for (uint32_t level = 0; level < c->n_levels; level++)
            if (!sort_level(c, level, sorted, new_of_old))
                return error_set(error, KITH_BUG, "two entries of a dictionary are the same");
        uint32_t *parent = TRY_ALLOC(arena_array(memory, room, sizeof *parent), error);
        uint8_t *mark = TRY_ALLOC(arena_array(memory, room, sizeof *mark), error);
        for (uint32_t e = 0; e < c->n_entries; e++) {
            parent[new_of_old[e]] = c->parent[e];
            mark[new_of_old[e]] = c->mark[e];
        }
        memcpy(c->parent, parent, room * sizeof *parent);
        memcpy(c->mark, mark, room);
        view_packet_recode_column(c, packet->n_rows, new_of_old);
        arena_release(memory, parent, room * sizeof *parent);
        arena_release(memory, mark, room);
        arena_release(memory, sorted, room * sizeof *sorted);
        arena_release(memory, new_of_old, room * sizeof *new_of_old);
    }
    CHECK(view_packet_check_sorted(packet));
    return KITH_OK;
}

kith_status view_packet_rows(view_packet *packet, const uint32_t *order, uint32_t n_rows,
                             kith_error *error)
{
    const size_t old = packet->n_rows, room = n_rows;
    for (uint32_t i = 0; i < n_rows; i++)
        ASSERT(order[i] < packet->n_rows);
    for (uint32_t j = 0; j < packet->n_columns; j++) {
        view_column *c = &packet->columns[j];
        if (c->n_levels == 0)
            continue;
        uint32_t *codes = TRY_ALLOC(arena_array(packet->memory, room, sizeof *codes), error);
        for (uint32_t i = 0; i < n_rows; i++)
            codes[i] = c->codes[order[i]];
        arena_release(packet->memory, c->codes, old * sizeof *codes);
        c->codes = codes;
    }
    if (packet->tid != NULL) {
        point *tid = TRY_ALLOC(arena_array(packet->memory, room, sizeof *tid), error);
        for (uint32_t i = 0; i < n_rows; i++)
            tid[i] = packet->tid[order[i]];
        arena_release(packet->memory, packet->tid, old * sizeof *tid);
        packet->tid = tid;
    }
    packet->n_rows = n_rows;
    return KITH_OK;
}

kith_status view_packet_shuffle(view_packet *packet, prg *coins, kith_error *error)
{
    const size_t room = packet->n_rows;
    uint32_t *order = TRY_ALLOC(arena_array(packet->memory, room, sizeof *order), error);
    for (uint32_t i = 0; i < packet->n_rows; i++)
        order[i] = i;
    TRY(prg_shuffle(coins, order, packet->n_rows, sizeof *order, error));
    TRY(view_packet_rows(packet, order, packet->n_rows, error));
    arena_release(packet->memory, order, room * sizeof *order);
    return KITH_OK;
}

kith_status view_packet_by_tid(view_packet *packet, kith_error *error)
{
    ASSERT(packet->tid != NULL || packet->n_rows == 0);
    const size_t room = packet->n_rows;
    placed *sorted = TRY_ALLOC(arena_array(packet->memory, room, sizeof *sorted), error);
    uint32_t *order = TRY_ALLOC(arena_array(packet->memory, room, sizeof *order), error);
    for (uint32_t i = 0; i < packet->n_rows; i++)
        sorted[i] = (placed){packet->tid[i], i};
    qsort(sorted, packet->n_rows, sizeof *sorted, sort_32_bytes);
    uint64_t repeated = 0;
    for (uint32_t i = 0; i < packet->n_rows; i++) {
        order[i] = sorted[i].place;
        repeated += i > 0 && sort_32_bytes(&sorted[i - 1], &sorted[i]) == 0;
    }
    if (repeated > 0)
        return error_set(error, KITH_DATA, "%llu rows repeat the id of another row",
                         (unsigned long long)repeated);
    arena_release(packet->memory, sorted, room * sizeof *sorted);
    TRY(view_packet_rows(packet, order, packet->n_rows, error));
    arena_release(packet->memory, order, room * sizeof *order);
    return KITH_OK;
}

kith_status view_packet_disorder(view_packet *packet, prg *coins, kith_error *error)
{
    return packet->tid != NULL ? view_packet_by_tid(packet, error)
                               : view_packet_shuffle(packet, coins, error);
}
