#include <string.h>

#include "core/error.h"
#include "core/rng.h"
#include "table/database/postgres.h"
#include "table/database/postgres_wait.h"
#include "table/sink.h"
#include "table/database/sql.h"

enum { SEND_BYTES = 1 << 16, MAX_SEND = 1 << 30 };

static const char lock_not_available[] = "55P03"; /* a SQLSTATE */

/* A table of the sink. It has a name of its own until it is complete, so that those who read the
 * table that it replaces need not wait: the old one is dropped just before the commit. */
typedef struct written {
    const char *quoted;      /* where rows go, for statements */
    const char *table;       /* what it will be called, with its schema if the address has one */
    const char *name;        /* the same without */
    struct written *earlier; /* NULL: it is the first one */
} written;

/* One transaction: CREATE TABLE, COPY, the final name, COMMIT. Disconnecting before that rolls
 * everything back. Invariant: `buffer` holds whole rows that have not been sent. */
typedef struct postgres_sink {
    arena *memory;
    postgres *db;
    size_t n_columns;
    char *buffer;
    size_t used, room;
    written *last;
    bool overwrite;
    bool committed;
} postgres_sink;

static kith_status postgres_sink_run(const postgres_sink *s, const char *sql, kith_error *error)
{
    return postgres_run(s->db, sql, PGRES_COMMAND_OK, "write", error);
}

/* "a" text, "b" bigint: columns are text, since released labels such as 20-24 have no other type,
 * unless they are numbers that were not generalized. */
static const char *list_columns(arena *memory, const char *const *names,
                                const dictionary *const *whole, size_t n_columns)
{
    const char *list = "";
    for (size_t i = 0; i < n_columns && list != NULL; i++) {
        const char *name = postgres_quote(memory, names[i]);
        const char *type = whole == NULL                          ? "text"
                           : sql_numbers_integers(whole[i])       ? "bigint"
                           : sql_numbers_decimals(whole[i], true) ? "numeric"
                                                                  : "text";
        list = name == NULL
                   ? NULL
                   : arena_printf(memory, "%s%s%s %s", list, i == 0 ? "" : ", ", name, type);
    }
    return list;
}

static kith_status drop_old(bool *in_use, const postgres_sink *s, const written *w,
                            kith_error *error)
{
    PGresult *result = NULL;
    const char *sql =
        TRY_ALLOC(arena_printf(s->memory, "DROP TABLE IF EXISTS %s", w->table), error);
    TRY(postgres_wait_exec(s->db, sql, &result, error));
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    *in_use = state != NULL && strcmp(state, lock_not_available) == 0;
    const kith_status status = PQresultStatus(result) == PGRES_COMMAND_OK || *in_use
                                   ? KITH_OK
                                   : postgres_failed(s->db, result, "replace", error);
    PQclear(result);
    return status;
}

/* The end of the transaction is tried out, and taken back: that the table cannot be made, because
 * it exists and must not be replaced, or because something depends on the old one, is an error
 * already here, unless the old one is being used at the moment. Readers are kept waiting for as
 * long as the old table is locked here, which is a moment. */
static kith_status rehearse(const postgres_sink *s, const written *w, const char *columns,
                            kith_error *error)
{
    bool in_use = false;
    TRY(postgres_sink_run(s, "SAVEPOINT kith; SET LOCAL lock_timeout TO '100ms'", error));
    if (s->overwrite)
        TRY(drop_old(&in_use, s, w, error));
    if (!in_use)
        TRY(postgres_sink_run(s, arena_printf(s->memory, "CREATE TABLE %s (%s)", w->table, columns),
                              error));
    return postgres_sink_run(s, "ROLLBACK TO SAVEPOINT kith; RELEASE SAVEPOINT kith", error);
}

/* In parts, because libpq takes lengths as int. */
static kith_status send(postgres_sink *s, kith_error *error)
{
    size_t at = 0;
    bool sent = false;
    while (at < s->used) {
        const size_t part = s->used - at < MAX_SEND ? s->used - at : MAX_SEND;
        if (PQputCopyData(s->db->connection, s->buffer + at, (int)part) != 1)
            return postgres_failed(s->db, NULL, "write", error);
        TRY(postgres_wait_send(s->db, &sent, error));
        if (!sent)
            return postgres_failed(s->db, NULL, "write", error);
        at += part;
    }
    s->used = 0;
    return KITH_OK;
}

/* The text format of COPY: \N is NULL, backslash escapes the rest. */
static kith_status postgres_sink_put_cell(postgres_sink *s, const char *text, char after,
                                          kith_error *error)
{
    const size_t length = text == NULL ? 0 : strlen(text);
    TRY_GROW(s->buffer, s->room, s->used + 2 * length + 3, s->memory, error);
    char *to = s->buffer + s->used;
    if (text == NULL) {
        *to++ = '\\';
        *to++ = 'N';
    }
    for (size_t i = 0; i < length; i++) {
        const char c = text[i];
        const char escaped = c == '\n' ? 'n' : c == '\r' ? 'r' : c == '\t' ? 't' : c;
        if (escaped != c || c == '\\')
            *to++ = '\\';
        *to++ = escaped;
    }
    *to++ = after;
    s->used = (size_t)(to - s->buffer);
    return KITH_OK;
}

static kith_status add_row(void *self, const char *const *cells, kith_error *error)
{
    postgres_sink *s = self;
    for (size_t i = 0; i < s->n_columns; i++)
        TRY(postgres_sink_put_cell(s, cells[i], i + 1 < s->n_columns ? '\t' : '\n', error));
    return s->used < SEND_BYTES ? KITH_OK : send(s, error);
}

static kith_status postgres_sink_finish(void *self, kith_error *error)
{
    postgres_sink *s = self;
    TRY(send(s, error));
    PGresult *r = NULL;
    bool sent = PQputCopyEnd(s->db->connection, NULL) == 1;
    if (sent)
        TRY(postgres_wait_send(s->db, &sent, error));
    if (!sent)
        return postgres_failed(s->db, NULL, "write", error);
    kith_status status = KITH_OK, asked = KITH_OK;
    while ((asked = postgres_wait_result(s->db, &r, error)) == KITH_OK && r != NULL) {
        if (status == KITH_OK && PQresultStatus(r) != PGRES_COMMAND_OK)
            status = postgres_failed(s->db, r, "write", error);
        PQclear(r);
    }
    return asked == KITH_OK ? status : asked;
}

static kith_status postgres_sink_commit(void *self, kith_error *error)
{
    postgres_sink *s = self;
    if (s->committed)
        return KITH_OK;
    for (const written *w = s->last; w != NULL; w = w->earlier) {
        /* Gives a table its name; the commit should follow. Waits for those who are using the old
         * one. */
        bool in_use = false;
        if (s->overwrite)
            TRY(drop_old(&in_use, s, w, error));
        if (in_use) /* the server's own lock_timeout has passed */
            return error_set(error, KITH_IO, "cannot replace %s: others are using it",
                             s->db->shown);
        TRY(postgres_sink_run(
            s, arena_printf(s->memory, "ALTER TABLE %s RENAME TO %s", w->quoted, w->name), error));
    }
    /* Once the server has been asked to commit it is not stopped, and the run learns what has
     * become of it. */
    s->db->run = NULL;
    TRY(postgres_sink_run(s, "COMMIT", error));
    s->committed = true;
    return KITH_OK;
}

/* Makes the table that will be the one of s->db, and begins to fill it. */
static kith_status begin_table(postgres_sink *s, const char *const *names,
                               const dictionary *const *whole, size_t n_columns, kith_error *error)
{
    const char *table = s->db->table, *dot = strchr(table, '.'); /* behind a schema */
    const char *name = dot == NULL ? table : dot + 1;
    const char *columns = TRY_ALLOC(list_columns(s->memory, names, whole, n_columns), error);
    written *w = TRY_ALLOC(arena_alloc(s->memory, sizeof *w), error);
    const char *own = TRY_ALLOC(arena_printf(s->memory, "%.*skith_%016llx", (int)(name - table),
                                             table, (unsigned long long)rng_fresh_seed()),
                                error);
    *w = (written){.table = s->db->quoted, .earlier = s->last};
    w->name = TRY_ALLOC(postgres_quote(s->memory, name), error);
    w->quoted = TRY_ALLOC(postgres_quote_table(s->memory, own), error);
    kith_status status = rehearse(s, w, columns, error);
    if (status == KITH_OK)
        status = postgres_sink_run(
            s, arena_printf(s->memory, "CREATE TABLE %s (%s)", w->quoted, columns), error);
    if (status == KITH_IO) /* a user who may not create tables is told what is needed */
        error_hint(error, status,
                   "the user of the address needs the right to create tables in its schema");
    TRY(status);
    s->last = w;
    s->n_columns = n_columns;
    return postgres_run(s->db, arena_printf(s->memory, "COPY %s FROM STDIN", w->quoted),
                        PGRES_COPY_IN, "write", error);
}

static kith_status next_table(void *self, const char *suffix, const char *const *names,
                              size_t n_columns, kith_error *error)
{
    postgres_sink *s = self;
    TRY(postgres_sink_finish(s, error));
    s->db->table = TRY_ALLOC(arena_printf(s->memory, "%s%s", s->db->table, suffix), error);
    s->db->quoted = TRY_ALLOC(postgres_quote_table(s->memory, s->db->table), error);
    return begin_table(s, names, NULL, n_columns, error);
}

kith_status postgres_sink_open(sink *result, const sink_request *request, kith_error *error)
{
    postgres_sink *s = TRY_ZEROS(s, request->memory, 1, error);
    s->memory = request->memory;
    s->overwrite = request->overwrite;
    TRY(postgres_open(&s->db, s->memory, request->uri, request->run, "write", error));
    TRY(postgres_sink_run(s, "BEGIN", error));
    TRY(begin_table(s, request->names, request->whole, request->n_columns, error));
    *result = (sink){.row = add_row,
                     .finish = postgres_sink_finish,
                     .commit = postgres_sink_commit,
                     .next = next_table,
                     .self = s};
    return KITH_OK;
}
