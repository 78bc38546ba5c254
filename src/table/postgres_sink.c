#include <stdint.h>

#include "core/error.h"
#include "table/postgres_copy.h"
#include "table/postgres_staging.h"
#include "table/sink.h"

/* A table of the sink. */
typedef struct written {
    postgres_staging staging;
    struct written *earlier; /* NULL: it is the first one */
} written;

/* One transaction: CREATE TABLE, COPY, the final name, COMMIT. Disconnecting before that rolls
 * everything back. */
typedef struct postgres_sink {
    arena *memory;
    postgres *db;
    postgres_copy rows;
    written *last;
    bool overwrite;
    bool committed;
} postgres_sink;

static kith_status add_row(void *self, const char *const *cells, kith_error *error)
{
    postgres_sink *s = self;
    return postgres_copy_row(&s->rows, cells, error);
}

static kith_status finish(void *self, kith_error *error)
{
    postgres_sink *s = self;
    return postgres_copy_end(&s->rows, error);
}

static kith_status commit(void *self, kith_error *error)
{
    postgres_sink *s = self;
    if (s->committed)
        return KITH_OK;
    for (const written *w = s->last; w != NULL; w = w->earlier)
        TRY(postgres_staging_publish(&w->staging, s->db, s->memory, error));
    TRY(postgres_commit(s->db, error));
    s->committed = true;
    return KITH_OK;
}

/* Whoever may not create tables is told what is needed. */
static kith_status with_hint(kith_status status, kith_error *error)
{
    if (status != KITH_IO)
        return status;
    return error_hint(error, status,
                      "the user of the address needs the right to create tables in its schema");
}

static kith_status begin_table(postgres_sink *s, const char *const *names,
                               const dictionary *const *whole, size_t n_columns, kith_error *error)
{
    const postgres_columns columns = {.names = names, .whole = whole, .count = n_columns};
    written *w = TRY_ALLOC(arena_zalloc(s->memory, 1, sizeof *w), error);
    TRY(with_hint(
        postgres_staging_create(&w->staging, s->db, s->memory, &columns, s->overwrite, error),
        error));
    w->earlier = s->last;
    s->last = w;
    return postgres_copy_begin(&s->rows, s->db, s->memory, w->staging.quoted, n_columns, error);
}

static kith_status next_table(void *self, const char *suffix, const char *const *names,
                              size_t n_columns, kith_error *error)
{
    postgres_sink *s = self;
    TRY(finish(s, error));
    TRY(postgres_rename(s->db, s->memory, suffix, error));
    return begin_table(s, names, NULL, n_columns, error);
}

kith_status postgres_sink_open(sink *result, const sink_request *request, kith_error *error)
{
    postgres_sink *s = TRY_ALLOC(arena_zalloc(request->memory, 1, sizeof *s), error);
    s->memory = request->memory;
    s->overwrite = request->overwrite;
    TRY(postgres_open(&s->db, s->memory, request->uri, request->run, "write", error));
    TRY(postgres_run(s->db, "BEGIN", PGRES_COMMAND_OK, "write", error));
    TRY(begin_table(s, request->names, request->whole, request->n_columns, error));
    *result =
        (sink){.row = add_row, .finish = finish, .commit = commit, .next = next_table, .self = s};
    return KITH_OK;
}
