#include "job/share/share_read.h"

#include <string.h>

#include "core/error.h"
#include "job/share/share_csv.h"
#include "table/source.h"
#include "table/uri.h"

/* The names and places of rank 0's columns, on all ranks. */
static kith_status tell_columns(crew_bytes *told, const kith_table *table, const source *s,
                                context *c, kith_error *error)
{
    char *bytes = NULL;
    size_t used = 0;
    for (uint32_t i = 0; table != NULL && i < table->n_columns; i++) {
        const column *col = &table->columns[i];
        const size_t length = strlen(col->name) + 1, more = sizeof col->place + length;
        bytes = TRY_ALLOC(arena_resize(s->scratch, bytes, used, used + more), error);
        memcpy(bytes + used, &col->place, sizeof col->place);
        memcpy(bytes + used + sizeof col->place, col->name, length);
        used += more;
    }
    crew_bytes *all = TRY_ALLOC(arena_array(s->scratch, crew_size(c->crew), sizeof *all), error);
    TRY(crew_gather(c->crew, bytes, used, all, s->scratch, error));
    *told = all[0];
    return KITH_OK;
}

/* A table without rows that has the columns of rank 0's. */
static kith_status without_rows(const source *s, const crew_bytes *told, kith_table **table,
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
    return source_finish(b, places, table, error);
}

/* Rank 0 has all rows. */
static kith_status read_alone(const source *s, context *c, kith_table **table, kith_error *error)
{
    crew_bytes told = {0};
    kith_table *whole = NULL;
    if (crew_rank(c->crew) == 0)
        TRY(source_read_whole(s, &whole, error));
    TRY(tell_columns(&told, whole, s, c, error));
    *table = whole;
    return whole != NULL ? KITH_OK : without_rows(s, &told, table, error);
}

/* By ranges of rows, if they can be counted. */
static kith_status read_rows(const source *s, void *user, kith_table **table, kith_error *error)
{
    context *c = user;
    const uint64_t size = crew_size(c->crew), rank = crew_rank(c->crew);
    uint64_t n_rows = SOURCE_UNCOUNTED;
    crew_bytes *all = TRY_ALLOC(arena_array(s->scratch, size, sizeof *all), error);
    if (rank == 0 && size > 1)
        TRY(source_count(s, &n_rows, error));
    TRY(crew_gather(c->crew, &n_rows, sizeof n_rows, all, s->scratch, error));
    memcpy(&n_rows, all[0].bytes, sizeof n_rows);
    if (n_rows == SOURCE_UNCOUNTED)
        return read_alone(s, c, table, error);
    const uint64_t each = n_rows / size, more = n_rows % size; /* the first ranks have one more */
    const source_rows rows = {.first = rank * each + (rank < more ? rank : more),
                              .count = each + (rank < more)};
    source own = *s;
    own.rows = &rows;
    return source_read_whole(&own, table, error);
}

kith_status share_place(share *about, uint64_t own, context *c, kith_error *error)
{
    const uint32_t size = crew_size(c->crew), rank = crew_rank(c->crew);
    crew_bytes *all = TRY_ALLOC(arena_array(c->memory, size, sizeof *all), error);
    *about = (share){0};
    TRY(crew_gather(c->crew, &own, sizeof own, all, c->memory, error));
    for (uint32_t r = 0; r < size; r++) {
        uint64_t n_rows;
        memcpy(&n_rows, all[r].bytes, sizeof n_rows);
        about->n_rows += n_rows;
        about->first_row += r < rank ? n_rows : 0;
    }
    return KITH_OK;
}

kith_status share_read(kith_table **table, share *about, const char *uri,
                       const kith_table_options *options, context *c, kith_error *error)
{
    const bool cut = uri_which(uri) == URI_CSV && strcmp(uri, "-") != 0 && crew_size(c->crew) > 1;
    TRY(source_read(table, uri, options, c->run, cut ? share_csv_read : read_rows, c, error));
    const kith_status status = share_place(about, (*table)->n_rows, c, error);
    if (status != KITH_OK) {
        kith_table_free(*table);
        *table = NULL;
    }
    return status;
}
