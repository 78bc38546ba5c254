#include <stdint.h>
#include <string.h>

#include "core/error.h"
#include "table/postgres.h"
#include "table/sink.h"
#include "table/sql_numbers.h"

/* One transaction: CREATE TABLE, COPY … FROM STDIN in text format, COMMIT. Disconnecting before
 * that rolls everything back. Invariant: `buffer` holds whole rows that have not been sent. */
enum { SEND_BYTES = 1 << 16 };

typedef struct postgres_sink {
    arena *memory;
    postgres *db;
    size_t n_columns;
    char *buffer;
    size_t used, room;
    bool overwrite;
    bool committed;
} postgres_sink;

/* In parts, because libpq takes lengths as int. */
static kith_status send(postgres_sink *s, kith_error *error)
{
    size_t at = 0;
    while (at < s->used) {
        size_t part = s->used - at < 1u << 30 ? s->used - at : 1u << 30;
        if (PQputCopyData(s->db->connection, s->buffer + at, (int)part) != 1)
            return postgres_failed(s->db, NULL, "write", error);
        at += part;
    }
    s->used = 0;
    return KITH_OK;
}

static kith_status reserve(postgres_sink *s, size_t more, kith_error *error)
{
    size_t need;
    if (__builtin_add_overflow(s->used, more, &need) || need > SIZE_MAX / 2)
        return error_nomem(error);
    if (need <= s->room)
        return KITH_OK;
    char *wider = TRY_ALLOC(arena_resize(s->memory, s->buffer, s->room, need * 2), error);
    s->buffer = wider;
    s->room = need * 2;
    return KITH_OK;
}

/* The letter that stands for a character behind a backslash, or 0. */
static char escape(char c)
{
    return c == '\\' ? '\\' : c == '\n' ? 'n' : c == '\r' ? 'r' : c == '\t' ? 't' : 0;
}

/* The text format of COPY: \N is NULL, backslash escapes the rest. */
static kith_status put_cell(postgres_sink *s, const char *text, char after, kith_error *error)
{
    size_t length = text == NULL ? 0 : strlen(text);
    TRY(reserve(s, 2 * length + 3, error));
    char *to = s->buffer + s->used;
    if (text == NULL) {
        *to++ = '\\';
        *to++ = 'N';
    }
    for (size_t i = 0; i < length; i++) {
        char letter = escape(text[i]);
        if (letter != 0)
            *to++ = '\\';
        *to++ = letter != 0 ? letter : text[i];
    }
    *to++ = after;
    s->used = (size_t)(to - s->buffer);
    return KITH_OK;
}

static kith_status postgres_row(void *self, const char *const *cells, kith_error *error)
{
    postgres_sink *s = self;
    for (size_t i = 0; i < s->n_columns; i++)
        TRY(put_cell(s, cells[i], i + 1 < s->n_columns ? '\t' : '\n', error));
    return s->used < SEND_BYTES ? KITH_OK : send(s, error);
}

static kith_status postgres_finish(void *self, kith_error *error)
{
    postgres_sink *s = self;
    TRY(send(s, error));
    if (PQputCopyEnd(s->db->connection, NULL) != 1)
        return postgres_failed(s->db, NULL, "write", error);
    kith_status status = KITH_OK;
    for (PGresult *r; (r = PQgetResult(s->db->connection)) != NULL; PQclear(r))
        if (status == KITH_OK && PQresultStatus(r) != PGRES_COMMAND_OK)
            status = postgres_failed(s->db, r, "write", error);
    return status;
}

static kith_status postgres_commit(void *self, kith_error *error)
{
    postgres_sink *s = self;
    if (s->committed)
        return KITH_OK;
    TRY(postgres_run(s->db, "COMMIT", PGRES_COMMAND_OK, "write", error));
    s->committed = true;
    return KITH_OK;
}

/* Columns are text, since released labels such as 20-24 have no other type, unless they are numbers
 * that were not generalized. */
static kith_status create(postgres_sink *s, const char *const *names,
                          const dictionary *const *whole, kith_error *error)
{
    const char *list = "";
    for (size_t i = 0; i < s->n_columns; i++) {
        const char *name = TRY_ALLOC(postgres_quote(s->memory, names[i]), error);
        const char *type = whole == NULL                          ? "text"
                           : sql_numbers_integers(whole[i])       ? "bigint"
                           : sql_numbers_decimals(whole[i], true) ? "numeric"
                                                                  : "text";
        list = TRY_ALLOC(arena_printf(s->memory, "%s%s%s %s", list, i == 0 ? "" : ", ", name, type),
                         error);
    }
    return postgres_run(s->db, arena_printf(s->memory, "CREATE TABLE %s (%s)", s->db->quoted, list),
                        PGRES_COMMAND_OK, "write", error);
}

/* DROP and CREATE are part of the transaction: if the run fails, the old table is still there. */
static kith_status begin_table(postgres_sink *s, const char *const *names,
                               const dictionary *const *whole, size_t n_columns, kith_error *error)
{
    const char *table = s->db->quoted;
    s->n_columns = n_columns;
    if (s->overwrite)
        TRY(postgres_run(s->db, arena_printf(s->memory, "DROP TABLE IF EXISTS %s", table),
                         PGRES_COMMAND_OK, "replace", error));
    TRY(create(s, names, whole, error));
    return postgres_run(s->db, arena_printf(s->memory, "COPY %s FROM STDIN", table), PGRES_COPY_IN,
                        "write", error);
}

static kith_status postgres_next(void *self, const char *suffix, const char *const *names,
                                 size_t n_columns, kith_error *error)
{
    postgres_sink *s = self;
    TRY(postgres_finish(s, error));
    TRY(postgres_rename(s->db, s->memory, suffix, error));
    return begin_table(s, names, NULL, n_columns, error);
}

kith_status postgres_sink_open(sink *result, const sink_request *request, kith_error *error)
{
    postgres_sink *s = TRY_ALLOC(arena_zalloc(request->memory, 1, sizeof *s), error);
    s->memory = request->memory;
    s->overwrite = request->overwrite;
    TRY(postgres_open(&s->db, s->memory, request->uri, error));
    TRY(postgres_run(s->db, "BEGIN", PGRES_COMMAND_OK, "write", error));
    TRY(begin_table(s, request->names, request->whole, request->n_columns, error));
    *result = (sink){.row = postgres_row,
                     .finish = postgres_finish,
                     .commit = postgres_commit,
                     .next = postgres_next,
                     .self = s};
    return KITH_OK;
}
