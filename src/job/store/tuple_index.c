#include "job/store/tuple_index.h"

#include <string.h>
#include <xxhash.h>

#include "core/error.h"

void tuple_index_init(tuple_index *x, uint32_t width, arena *memory)
{
    *x = (tuple_index){.memory = memory, .width = width};
}

/* The place of a row, or the free one where it would be. */
static size_t find_place(const tuple_index *x, const uint32_t *row)
{
    const size_t n_bytes = x->width * sizeof *row;
    size_t place = (size_t)XXH3_64bits(row, n_bytes) & (x->n_places - 1);
    while (x->table[place] != UINT32_MAX &&
           memcmp(tuple_index_row(x, x->table[place]), row, n_bytes) != 0)
        place = (place + 1) & (x->n_places - 1);
    return place;
}

static kith_status grow_table(tuple_index *x, kith_error *error)
{
    const size_t n_before = x->n_places;
    uint32_t *before = x->table;
    x->n_places = n_before == 0 ? 1024 : 2 * n_before;
    x->table = TRY_ALLOC(arena_array(x->memory, x->n_places, sizeof *x->table), error);
    memset(x->table, 0xff, x->n_places * sizeof *x->table);
    for (uint32_t i = 0; i < x->count; i++)
        x->table[find_place(x, tuple_index_row(x, i))] = i;
    if (before != NULL)
        arena_release(x->memory, before, n_before * sizeof *before);
    return KITH_OK;
}

kith_status tuple_index_add(tuple_index *x, const uint32_t *row, uint32_t *number,
                            kith_error *error)
{
    if (2 * ((size_t)x->count + 1) > x->n_places)
        TRY(grow_table(x, error));
    const size_t place = find_place(x, row);
    if (x->table[place] == UINT32_MAX) {
        if (x->count == x->room) {
            const size_t room = arena_capacity(x->room, x->room + 1);
            TRY_RESIZE(x->rows, x->memory, x->room * x->width, room * x->width, error);
            x->room = room;
        }
        memcpy(x->rows + (size_t)x->count * x->width, row, x->width * sizeof *row);
        x->table[place] = x->count++;
    }
    *number = x->table[place];
    return KITH_OK;
}

uint32_t tuple_index_find(const tuple_index *x, const uint32_t *row)
{
    return x->count == 0 ? UINT32_MAX : x->table[find_place(x, row)];
}

void tuple_index_release(tuple_index *x)
{
    if (x->rows != NULL)
        arena_release(x->memory, x->rows, x->room * x->width * sizeof *x->rows);
    if (x->table != NULL)
        arena_release(x->memory, x->table, x->n_places * sizeof *x->table);
    tuple_index_init(x, x->width, x->memory);
}
