#include "job/share/share_read.h"

#include <string.h>

#include "core/error.h"
#include "job/share/share_alone.h"
#include "job/share/share_csv.h"
#include "job/share/share_postgres.h"
#include "table/source.h"
#include "table/uri.h"

static kith_status read_alone(const source *s, context *c, kith_table **table, kith_error *error)
{
    kith_table *whole = NULL;
    if (crew_rank(c->crew) == 0)
        TRY(source_read_whole(s, &whole, error));
    return share_alone(s, whole, c, table, error);
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

static source_reader *reader_of(const char *uri, const context *c)
{
    const uri_kind kind = uri_which(uri);
    if (crew_size(c->crew) > 1 && kind == URI_CSV && strcmp(uri, "-") != 0)
        return share_csv_read;
    return crew_size(c->crew) > 1 && kind == URI_POSTGRES ? share_postgres_read : read_rows;
}

kith_status share_read(kith_table **table, share *about, const char *uri,
                       const kith_table_options *options, context *c, kith_error *error)
{
    TRY(source_read(table, uri, options, c->run, reader_of(uri, c), c, error));
    const kith_status status = share_place(about, (*table)->n_rows, c, error);
    if (status != KITH_OK) {
        kith_table_free(*table);
        *table = NULL;
    }
    return status;
}
