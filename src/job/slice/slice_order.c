#include "job/slice/slice_order.h"

#include <sodium.h>
#include <string.h>

#include "core/bytes.h"
#include "core/check.h"
#include "core/run/ranks.h"
#include "core/error.h"
#include "job/slice/slice_read.h"
#include "release/release.h"
#include "table/rows/code_rows.h"
#include "table/rows/row_splitters.h"
#include "table/rows/table_order.h"

enum { SAMPLED = 1024 }; /* rows for each rank, so that few have a tenth more than others */

/* This rank's part of rows at equal distances, column by column. */
static kith_status pack_sample(ranks_bytes *sample, const kith_table *own, const slice *place,
                               uint32_t n, arena *memory, kith_error *error)
{
    bytes_writer w = {.memory = memory};
    for (uint32_t i = 0; i < own->n_columns; i++)
        for (uint64_t k = 0; k < n; k++) {
            const uint64_t at = k * place->n_rows / n - place->first_row;
            if (at < own->n_rows)
                bytes_write(&w, &own->columns[i].codes[at], sizeof(uint32_t));
        }
    *sample = (ranks_bytes){w.bytes, w.length};
    return bytes_written(&w, error);
}

static kith_status gather_sample(kith_table *sample, const kith_table *own, const slice *place,
                                 context *c, arena *memory, kith_error *error)
{
    const uint32_t n_ranks = ranks_count(c->ranks), n = own->n_columns;
    const uint64_t n_wanted = (uint64_t)n_ranks * SAMPLED;
    ranks_bytes here, *all = TRY_ALLOC(arena_array(memory, n_ranks, sizeof *all), error);
    uint32_t count = place->n_rows < n_wanted ? (uint32_t)place->n_rows : (uint32_t)n_wanted;
    TRY(pack_sample(&here, own, place, count, memory, error));
    TRY(ranks_gather(c->ranks, here.bytes, here.n_bytes, all, memory, error));
    TRY(table_room(sample, own, count, memory, error));
    count = 0;
    for (uint32_t r = 0; r < n_ranks; r++) {
        const uint32_t more = (uint32_t)(all[r].n_bytes / sizeof(uint32_t) / n);
        const uint32_t *codes = all[r].bytes;
        for (uint32_t i = 0; i < n && more > 0; i++, codes += more)
            memcpy(sample->columns[i].codes + count, codes, more * sizeof *codes);
        count += more;
    }
    ASSERT(count == sample->n_rows);
    return KITH_OK;
}

/* Rows that look equal may be many: the ranks that may have them share them, those of earlier
 * records first. */
static kith_status find_parts(slice_order *o, const kith_table *own, context *c, arena *memory,
                              kith_error *error)
{
    kith_table sample;
    slice place;
    row_splitters *parts;
    TRY(slice_place(&place, own->n_rows, c, error));
    TRY(gather_sample(&sample, own, &place, c, memory, error));
    TRY(row_splitters_make(&parts, &sample, ranks_count(c->ranks), memory, error));
    for (uint32_t row = 0; row < own->n_rows; row++) {
        const uint32_t first = row_splitters_first(parts, own, row);
        const uint64_t count = row_splitters_part(parts, own, row) - first + UINT64_C(1);
        o->to[row] = first + (uint32_t)((place.first_row + row) * count / place.n_rows);
    }
    return KITH_OK;
}

/* The rows go where they belong. */
static kith_status send(slice_order *o, kith_table *rows, const kith_table *own, context *c,
                        arena *memory, kith_error *error)
{
    uint32_t *from = TRY_ALLOC(arena_array(memory, own->n_rows, sizeof *from), error);
    for (uint32_t row = 0; row < own->n_rows; row++)
        from[row] = ranks_self(c->ranks);
    TRY(code_rows_send_table(rows, &from, own, o->to, ranks_count(c->ranks), c, memory, error));
    o->n_rows = rows->n_rows;
    o->from = TRY_ALLOC(arena_array(c->memory, o->n_rows, sizeof *o->from), error);
    memcpy(o->from, from, o->n_rows * sizeof *from);
    return KITH_OK;
}

kith_status slice_order_by_cells(slice_order *o, kith_table *rows, const kith_table *own,
                                 context *c, arena *memory, kith_error *error)
{
    *o = (slice_order){.n_own = own->n_rows};
    o->to = TRY_ALLOC(arena_array(c->memory, o->n_own, sizeof *o->to), error);
    TRY(find_parts(o, own, c, memory, error));
    TRY(send(o, rows, own, c, memory, error));
    TRY(table_order_by_cells(&o->order, rows, c->memory, error));
    return table_order_apply(rows, o->order, error);
}

kith_status slice_order_by_chance(slice_order *o, kith_table *rows, const kith_table *own,
                                  context *c, arena *memory, kith_error *error)
{
    *o = (slice_order){.n_own = own->n_rows};
    o->to = TRY_ALLOC(arena_array(c->memory, o->n_own, sizeof *o->to), error);
    if (sodium_init() < 0)
        return error_set(error, KITH_IO, "the system provides no random numbers");
    for (uint32_t row = 0; row < own->n_rows; row++)
        o->to[row] = randombytes_uniform(ranks_count(c->ranks));
    TRY(send(o, rows, own, c, memory, error));
    TRY(release_random_order(&o->order, rows->n_rows, c->memory, error));
    return table_order_apply(rows, o->order, error);
}

kith_status slice_order_back(kith_table *own, const slice_order *o, const kith_table *rows,
                             context *c, kith_error *error)
{
    uint32_t *none = NULL;
    kith_table arrived = *rows;
    if (rows->n_rows != o->n_rows)
        return error_set(error, KITH_BUG, "%u rows were written, and %u read back", o->n_rows,
                         rows->n_rows);
    TRY(table_order_undo(&arrived, o->order, error));
    return code_rows_return_table(own, &none, &arrived, o->from, o->to, o->n_own, 0, c, c->memory,
                                  error);
}

kith_status slice_order_places(uint32_t **places, const slice_order *o, context *c, arena *memory,
                               kith_error *error)
{
    const kith_table here = {.n_rows = o->n_rows};
    kith_table own;
    slice at;
    TRY(slice_place(&at, o->n_rows, c, error));
    *places = TRY_ALLOC(arena_array(memory, o->n_rows, sizeof **places), error);
    for (uint32_t i = 0; i < o->n_rows; i++)
        (*places)[o->order[i]] = (uint32_t)at.first_row + i;
    return code_rows_return_table(&own, places, &here, o->from, o->to, o->n_own, UINT32_MAX, c,
                                  memory, error);
}
