#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "table/sink.h"
#include "table/database/sql.h"
#include "table/database/sqlite.h"
#include "table/uri.h"

/* Everything happens in one transaction, which closing the database rolls back. A file that was not
 * there before goes again unless the rows were committed. */
typedef struct sqlite_sink {
    arena *memory;
    sqlite *db;
    bool overwrite;
    sqlite3_stmt *insert;
    size_t n_columns;
    const char *path;
    bool made; /* the file is ours */
    bool committed;
} sqlite_sink;

/* Runs when the arena is freed, after the database is closed. */
static void drop_file(void *object)
{
    sqlite_sink *s = object;
    if (s->made && !s->committed)
        unlink(s->path);
}

static kith_status sqlite_row(void *self, const char *const *cells, kith_error *error)
{
    sqlite_sink *s = self;
    sqlite3_reset(s->insert);
    for (size_t i = 0; i < s->n_columns; i++) {
        int place = (int)i + 1;
        int code = cells[i] == NULL
                       ? sqlite3_bind_null(s->insert, place)
                       : sqlite3_bind_text(s->insert, place, cells[i], -1, SQLITE_STATIC);
        if (code != SQLITE_OK)
            return sqlite_failed(s->db, "write", error);
    }
    if (sqlite3_step(s->insert) != SQLITE_DONE)
        return sqlite_failed(s->db, "write", error);
    return KITH_OK;
}

static kith_status sqlite_commit(void *self, kith_error *error)
{
    sqlite_sink *s = self;
    if (s->committed)
        return KITH_OK;
    sqlite3_reset(s->insert);
    TRY(sqlite_run(s->db, "COMMIT", "write", error));
    s->committed = true;
    return KITH_OK;
}

/* A database that others use keeps its mode. */
static void sqlite_keep_private(void *self)
{
    const sqlite_sink *s = self;
    if (s->made)
        (void)!chmod(s->path, S_IRUSR | S_IWUSR);
}

/* Refuses to replace a table unless the user asked for it. */
static kith_status make_room(const sqlite *db, bool overwrite, kith_error *error)
{
    bool exists = false;
    TRY(sqlite_has_table(db, &exists, error));
    if (!exists)
        return KITH_OK;
    if (!overwrite)
        return error_exists(error, db->shown);
    char *sql = sqlite3_mprintf("DROP TABLE \"%w\"", db->table);
    kith_status status = sqlite_run(db, sql, "replace", error);
    sqlite3_free(sql);
    return status;
}

/* Makes the table that s->db names, and a statement that fills it. Columns are TEXT, since released
 * labels such as 20-24 have no other type, unless they are numbers that were not generalized.
 * NUMERIC keeps 2 and 2.5 apart, REAL would make them 2.0 and 2.5. */
static kith_status begin_table(sqlite_sink *s, const char *const *names,
                               const dictionary *const *whole, size_t n_columns, kith_error *error)
{
    s->n_columns = n_columns;
    TRY(make_room(s->db, s->overwrite, error));
    sqlite3_str *sql = sqlite3_str_new(s->db->handle);
    sqlite3_str_appendf(sql, "CREATE TABLE \"%w\" (", s->db->table);
    for (size_t i = 0; i < n_columns; i++)
        sqlite3_str_appendf(sql, "%s\"%w\" %s", i == 0 ? "" : ", ", names[i],
                            whole == NULL                           ? "TEXT"
                            : sql_numbers_integers(whole[i])        ? "INTEGER"
                            : sql_numbers_decimals(whole[i], false) ? "NUMERIC"
                                                                    : "TEXT");
    sqlite3_str_appendall(sql, ")");
    char *text = sqlite3_str_finish(sql);
    const kith_status status = sqlite_run(s->db, text, "write", error);
    sqlite3_free(text);
    TRY(status);
    sql = sqlite3_str_new(s->db->handle);
    sqlite3_str_appendf(sql, "INSERT INTO \"%w\" VALUES (", s->db->table);
    for (size_t i = 0; i < n_columns; i++)
        sqlite3_str_appendall(sql, i == 0 ? "?" : ", ?");
    sqlite3_str_appendall(sql, ")");
    return sqlite_prepare(s->db, s->memory, sqlite3_str_finish(sql), "write", &s->insert, error);
}

static kith_status sqlite_next(void *self, const char *suffix, const char *const *names,
                               size_t n_columns, kith_error *error)
{
    sqlite_sink *s = self;
    sqlite3_reset(s->insert);
    s->db->table = TRY_ALLOC(arena_printf(s->memory, "%s%s", s->db->table, suffix), error);
    return begin_table(s, names, NULL, n_columns, error);
}

kith_status sqlite_sink_open(sink *result, const sink_request *request, kith_error *error)
{
    const char *table;
    sqlite_sink *s = TRY_ZEROS(s, request->memory, 1, error);
    s->memory = request->memory;
    s->overwrite = request->overwrite;
    TRY(uri_split(request->memory, request->uri, &s->path, &table, error));
    s->made = access(s->path, F_OK) != 0;
    TRY_ALLOC(arena_defer(request->memory, drop_file, s), error); /* after the database is closed */
    TRY(sqlite_open(&s->db, request->memory, request->uri, true, error));
    TRY(sqlite_run(s->db, "BEGIN IMMEDIATE", "write", error));
    TRY(begin_table(s, request->names, request->whole, request->n_columns, error));
    *result = (sink){.row = sqlite_row,
                     .commit = sqlite_commit,
                     .next = sqlite_next,
                     .keep_private = sqlite_keep_private,
                     .self = s};
    return KITH_OK;
}
