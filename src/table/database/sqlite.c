#include "table/database/sqlite.h"

#include <errno.h>
#include <unistd.h>

#include "core/error.h"
#include "core/text.h"
#include "table/uri.h"

enum { WAIT_MS = 5000, LIST_BYTES = 400 };

kith_status sqlite_failed(const sqlite *db, const char *what, kith_error *error)
{
    int code = sqlite3_errcode(db->handle);
    if (code == SQLITE_NOMEM)
        return error_nomem(error);
    error_set(error, KITH_IO, "cannot %s %s: %s", what, db->shown, sqlite3_errmsg(db->handle));
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
        return error_hint(error, KITH_IO, "another program is using the database");
    return KITH_IO;
}

static void close_database(void *object)
{
    sqlite3_close_v2(object);
}

static void finalize(void *object)
{
    sqlite3_finalize(object);
}

kith_status sqlite_open(sqlite **result, arena *memory, const char *uri, bool writable,
                        kith_error *error)
{
    sqlite *db = TRY_ZEROS(db, memory, 1, error);
    db->shown = TRY_ALLOC(uri_shown(memory, uri), error);
    TRY(uri_split(memory, uri, &db->path, &db->table, error));
    if (!writable && access(db->path, R_OK) != 0)
        return error_errno(error, errno, "read", db->path);
    int flags = writable ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    /* With a slash SQLite takes it neither for ":memory:" nor for a URI, "file:…". */
    const char *path =
        TRY_ALLOC(arena_printf(memory, "%s%s", db->path[0] == '/' ? "" : "./", db->path), error);
    int code = sqlite3_open_v2(path, &db->handle, flags, NULL);
    if (db->handle == NULL || !arena_defer(memory, close_database, db->handle))
        return error_nomem(error);
    if (code != SQLITE_OK)
        return sqlite_failed(db, "open", error);
    sqlite3_busy_timeout(db->handle, WAIT_MS);
    *result = db;
    return KITH_OK;
}

kith_status sqlite_prepare(const sqlite *db, arena *memory, char *sql, const char *what,
                           sqlite3_stmt **statement, kith_error *error)
{
    TRY_ALLOC(sql, error);
    *statement = NULL;
    int code = sqlite3_prepare_v2(db->handle, sql, -1, statement, NULL);
    sqlite3_free(sql);
    if (code != SQLITE_OK)
        return sqlite_failed(db, what, error);
    return arena_defer(memory, finalize, *statement) ? KITH_OK : error_nomem(error);
}

kith_status sqlite_run(const sqlite *db, const char *sql, const char *what, kith_error *error)
{
    TRY_ALLOC(sql, error);
    int code = sqlite3_exec(db->handle, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? KITH_OK : sqlite_failed(db, what, error);
}

/* SQLite compares names without regard to case. */
kith_status sqlite_has_table(const sqlite *db, bool *exists, kith_error *error)
{
    static const char sql[] = "SELECT 1 FROM sqlite_master WHERE type IN ('table', 'view') "
                              "AND name = ?1 COLLATE NOCASE";
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(db->handle, sql, -1, &statement, NULL) != SQLITE_OK)
        return sqlite_failed(db, "open", error);
    sqlite3_bind_text(statement, 1, db->table, -1, SQLITE_STATIC);
    int code = sqlite3_step(statement);
    sqlite3_finalize(statement);
    *exists = code == SQLITE_ROW;
    return code == SQLITE_ROW || code == SQLITE_DONE ? KITH_OK : sqlite_failed(db, "read", error);
}

/* Errors just leave the list of tables shorter. */
kith_status sqlite_no_table(const sqlite *db, kith_error *error)
{
    char list[LIST_BYTES] = "";
    static const char sql[] = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') "
                              "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name";
    sqlite3_stmt *statement = NULL;
    sqlite3_prepare_v2(db->handle, sql, -1, &statement, NULL);
    while (statement != NULL && sqlite3_step(statement) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(statement, 0);
        text_list_add(list, sizeof list, name == NULL ? "" : name);
    }
    sqlite3_finalize(statement);
    error_set(error, KITH_DATA, "%s: no table '%s'", db->shown, db->table);
    if (list[0] == '\0')
        return error_hint(error, KITH_DATA, "the database has no tables");
    return error_hint(error, KITH_DATA, "its tables are: %s", list);
}
