#include "job/slice/slice_read.h"

#include <string.h>

#include "core/error.h"
#include "job/slice/slice_alone.h"
#include "job/slice/slice_csv.h"
#include "job/slice/slice_postgres.h"
#include "table/source.h"
#include "table/uri.h"

static kith_status read_alone(const source *s, context *c, kith_table **table, kith_error *error)
{
    kith_table *whole = NULL;
    if (ranks_self(c->ranks) == 0)
        TRY(source_read_whole(s, &whole, error));
    return slice_alone(s, whole, c, table, error);
}

/* By ranges of rows, if rank 0 can find them. */
static kith_status read_rows(const source *s, void *user, kith_table **table, kith_error *error)
{
    context *c = user;
    const uint32_t size = ranks_count(c->ranks);
    bool cut = false;
    ranks_bytes *all = TRY_ALLOC(arena_array(s->scratch, size, sizeof *all), error);
    source_rows *parts = TRY_ALLOC(arena_zalloc(s->scratch, size, sizeof *parts), error);
    if (ranks_self(c->ranks) == 0 && size > 1)
        TRY(source_cut(s, parts, size, &cut, error));
    TRY(ranks_gather(c->ranks, parts, cut ? size * sizeof *parts : 0, all, s->scratch, error));
    if (all[0].n_bytes == 0)
        return read_alone(s, c, table, error);
    memcpy(parts, all[0].bytes, size * sizeof *parts);
    source own = *s;
    own.rows = &parts[ranks_self(c->ranks)];
    return source_read_whole(&own, table, error);
}

kith_status slice_place(slice *about, uint64_t own, context *c, kith_error *error)
{
    const uint32_t size = ranks_count(c->ranks), rank = ranks_self(c->ranks);
    ranks_bytes *all = TRY_ALLOC(arena_array(c->memory, size, sizeof *all), error);
    *about = (slice){0};
    TRY(ranks_gather(c->ranks, &own, sizeof own, all, c->memory, error));
    for (uint32_t r = 0; r < size; r++) {
        uint64_t n_rows;
        memcpy(&n_rows, all[r].bytes, sizeof n_rows);
        about->n_rows += n_rows;
        about->first_row += r < rank ? n_rows : 0;
    }
    /* Searches and verdicts number rows of the whole with 32 bits. */
    if (about->n_rows >= UINT32_MAX)
        return error_set(error, KITH_DATA, "all ranks together have more than %u rows",
                         UINT32_MAX - 1);
    return KITH_OK;
}

static source_reader *reader_of(const char *uri, const context *c)
{
    const uri_kind kind = uri_which(uri);
    if (ranks_count(c->ranks) > 1 && kind == URI_CSV && strcmp(uri, "-") != 0)
        return slice_csv_read;
    return ranks_count(c->ranks) > 1 && kind == URI_POSTGRES ? slice_postgres_read : read_rows;
}

kith_status slice_read(kith_table **table, slice *about, const char *uri,
                       const kith_table_options *options, context *c, kith_error *error)
{
    TRY(source_read(table, uri, options, c->run, reader_of(uri, c), c, error));
    const kith_status status = slice_place(about, (*table)->n_rows, c, error);
    if (status != KITH_OK) {
        kith_table_free(*table);
        *table = NULL;
    }
    return status;
}
