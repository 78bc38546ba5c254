#include "job/slice/slice_alone.h"

#include <string.h>

#include "core/bytes.h"
#include "core/run/ranks.h"
#include "core/error.h"

/* The names and places of rank 0's columns, on all ranks. */
static kith_status tell_columns(ranks_bytes *told, const kith_table *table, const source *s,
                                context *c, kith_error *error)
{
    bytes_writer w = {.memory = s->scratch};
    for (uint32_t i = 0; table != NULL && i < table->n_columns; i++) {
        const column *col = &table->columns[i];
        bytes_write(&w, &col->place, sizeof col->place);
        bytes_write(&w, col->name, strlen(col->name) + 1);
    }
    TRY(bytes_written(&w, error));
    ranks_bytes *all =
        TRY_ALLOC(arena_array(s->scratch, ranks_count(c->ranks), sizeof *all), error);
    TRY(ranks_gather(c->ranks, w.bytes, w.length, all, s->scratch, error));
    *told = all[0];
    return KITH_OK;
}

/* A table without rows that has the columns of rank 0's. */
static kith_status without_rows(const source *s, const ranks_bytes *told, kith_table **table,
                                kith_error *error)
{
    const char *at = told->bytes, *end = at + told->n_bytes;
    const size_t room = told->n_bytes / (sizeof(uint32_t) + 1) + 1;
    kith_column_spec *specs = TRY_ALLOC(arena_array(s->scratch, room, sizeof *specs), error);
    uint32_t *places = TRY_ALLOC(arena_array(s->scratch, room, sizeof *places), error);
    table_builder *b;
    size_t count = 0;
    for (; at < end; count++) {
        memcpy(&places[count], at, sizeof *places);
        at += sizeof *places;
        specs[count] = (kith_column_spec){.name = at};
        at += strlen(at) + 1;
    }
    TRY(table_builder_new(&b, s->memory, s->name,
                          s->options->columns != NULL ? s->options->columns : specs, count,
                          s->options, error));
    return source_finish(s, b, places, table, error);
}

kith_status slice_alone(const source *s, kith_table *whole, context *c, kith_table **table,
                        kith_error *error)
{
    ranks_bytes told = {0};
    TRY(tell_columns(&told, whole, s, c, error));
    *table = whole;
    return whole != NULL ? KITH_OK : without_rows(s, &told, table, error);
}
