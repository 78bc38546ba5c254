#include "search/records/tuple_index.h"

#include <string.h>
#include <xxhash.h>

#include "core/error.h"

void tuple_index_init(tuple_index *x, uint32_t width, arena *memory)
{
    *x = (tuple_index){.memory = memory, .width = width};
}

/* The place of a row, or the free one where it would be. */
static size_t tuple_index_find_place(const tuple_index *x, const uint32_t *row)
{
    const size_t n_bytes = x->width * sizeof *row;
    size_t place = (size_t)XXH3_64bits(row, n_bytes) & (x->n_places - 1);
    while (x->table[place] != UINT32_MAX &&
           memcmp(tuple_index_row(x, x->table[place]), row, n_bytes) != 0)
        place = (place + 1) & (x->n_places - 1);
    return place;
}

static void release_table(tuple_index *x)
{
    if (x->table != NULL)
        arena_release(x->memory, x->table, x->n_places * sizeof *x->table);
    x->table = NULL;
    x->n_places = 0;
}

/* Makes a table for so many rows. */
static kith_status grow_table(tuple_index *x, size_t n_rows, kith_error *error)
{
    size_t n_places = 1024;
    while (n_places < 2 * n_rows)
        n_places *= 2;
    uint32_t *table = TRY_ARRAY(table, x->memory, n_places, error);
    memset(table, 0xff, n_places * sizeof *table);
    release_table(x);
    x->n_places = n_places;
    x->table = table;
    for (uint32_t i = 0; i < x->count; i++)
        x->table[tuple_index_find_place(x, tuple_index_row(x, i))] = i;
    return KITH_OK;
}

kith_status tuple_index_add(tuple_index *x, const uint32_t *row, uint32_t *number,
                            kith_error *error)
{
    if (2 * ((size_t)x->count + 1) > x->n_places)
        TRY(grow_table(x, (size_t)x->count + 1, error));
    const size_t place = tuple_index_find_place(x, row);
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

kith_status tuple_index_add_all(tuple_index *x, const uint32_t *rows, uint32_t n, uint32_t *of,
                                kith_error *error)
{
    const size_t most = (size_t)x->count + n;
    if (2 * most > x->n_places)
        TRY(grow_table(x, most, error));
    for (uint32_t i = 0; i < n; i++)
        TRY(tuple_index_add(x, rows + (size_t)i * x->width, &of[i], error));
    return KITH_OK;
}

uint32_t tuple_index_find(const tuple_index *x, const uint32_t *row)
{
    return x->count == 0 ? UINT32_MAX : x->table[tuple_index_find_place(x, row)];
}

void tuple_index_close(tuple_index *x)
{
    release_table(x);
    uint32_t *rows = arena_resize_array(x->memory, x->rows, x->room * x->width,
                                        (size_t)x->count * x->width, sizeof *rows);
    if (rows == NULL) /* it may stay larger */
        return;
    x->rows = rows;
    x->room = x->count;
}

void tuple_index_release(tuple_index *x)
{
    release_table(x);
    if (x->rows != NULL)
        arena_release(x->memory, x->rows, x->room * x->width * sizeof *x->rows);
    tuple_index_init(x, x->width, x->memory);
}
