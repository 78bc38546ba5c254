#include <sqlite3.h>
#include <stdio.h>

#include "core/error.h"
#include "table/source.h"
#include "table/database/sqlite.h"

enum { ROWS_PER_REPORT = 1 << 14 };

/* SQLite types belong to cells, not to columns: numbers are read as their text, and blobs are not
 * text. */
static kith_status sqlite_source_put_cell(table_builder *b, size_t which, sqlite3_stmt *statement,
                                          const char *name, kith_error *error)
{
    int from = (int)which;
    switch (sqlite3_column_type(statement, from)) {
    case SQLITE_NULL: return table_builder_cell(b, which, NULL, 0, error);
    case SQLITE_BLOB:
        return error_set(error, KITH_DATA, "a blob, expected text or a number (column %s)", name);
    default: break;
    }
    const char *text = TRY_ALLOC((const char *)sqlite3_column_text(statement, from), error);
    return table_builder_cell(b, which, text, (size_t)sqlite3_column_bytes(statement, from), error);
}

/* The number of rows is not known beforehand, therefore no share is reported. */
static kith_status put_rows(const source *s, const sqlite *db, sqlite3_stmt *statement,
                            table_builder *b, const kith_column_spec *specs, size_t count,
                            kith_error *error)
{
    int code;
    uint64_t row = s->rows == NULL ? 1 : s->rows->first + 1;
    for (; (code = sqlite3_step(statement)) == SQLITE_ROW; row++) {
        for (size_t i = 0; i < count; i++) {
            kith_status status = sqlite_source_put_cell(b, i, statement, specs[i].name, error);
            if (status != KITH_OK)
                return source_at_row(s->name, row, status, error);
        }
        TRY(table_builder_row(b, error));
        if (row % ROWS_PER_REPORT != 0)
            continue;
        TRY(row_spill_take(s->spill, b, false, error));
        TRY(source_progress(s, -1, error));
    }
    return code == SQLITE_DONE ? source_progress(s, 1, error) : sqlite_failed(db, "read", error);
}

/* The names of the table's columns, by a statement that returns no row. */
static kith_status column_names(const source *s, const sqlite *db, const char ***names,
                                size_t *width, kith_error *error)
{
    sqlite3_stmt *statement;
    char *sql = sqlite3_mprintf("SELECT * FROM \"%w\" LIMIT 0", db->table);
    TRY(sqlite_prepare(db, s->scratch, sql, "read", &statement, error));
    *width = (size_t)sqlite3_column_count(statement);
    *names = arena_array(s->scratch, *width, sizeof **names);
    TRY_ALLOC(*names, error);
    for (size_t i = 0; i < *width; i++) {
        const char *name = sqlite3_column_name(statement, (int)i);
        (*names)[i] = name == NULL ? NULL : arena_strdup(s->scratch, name);
        TRY_ALLOC((*names)[i], error);
    }
    return KITH_OK;
}

/* The number that a query has as its only result. */
static kith_status ask_number(const source *s, const sqlite *db, char *sql, uint64_t *number,
                              kith_error *error)
{
    sqlite3_stmt *statement;
    TRY(sqlite_prepare(db, s->scratch, sql, "read", &statement, error));
    if (sqlite3_step(statement) != SQLITE_ROW)
        return sqlite_failed(db, "read", error);
    *number = (uint64_t)sqlite3_column_int64(statement, 0);
    return KITH_OK;
}

/* The name by which the table's rows have numbers; NULL: they have none. A column may have taken a
 * name away. */
static kith_status row_numbers(const source *s, const sqlite *db, const char **number,
                               kith_error *error)
{
    static const char *const names[] = {"rowid", "_rowid_", "oid"};
    const char **columns = NULL;
    size_t width = 0;
    uint64_t n_tables = 0;
    *number = NULL;
    char *sql = sqlite3_mprintf("SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name "
                                "= %Q COLLATE NOCASE AND sql NOT LIKE 'CREATE VIRTUAL%%'",
                                db->table);
    TRY(ask_number(s, db, sql, &n_tables, error));
    if (n_tables == 0)
        return KITH_OK;
    TRY(column_names(s, db, &columns, &width, error));
    for (size_t i = 0; i < sizeof names / sizeof *names && *number == NULL; i++) {
        *number = names[i];
        for (size_t k = 0; k < width; k++)
            if (sqlite3_stricmp(columns[k], names[i]) == 0)
                *number = NULL;
    }
    sqlite3_stmt *statement = NULL;
    sql = sqlite3_mprintf("SELECT %s FROM \"%w\" NOT INDEXED", *number, db->table);
    TRY_ALLOC(sql, error);
    if (*number != NULL && sqlite3_prepare_v2(db->handle, sql, -1, &statement, NULL) != SQLITE_OK)
        *number = NULL; /* WITHOUT ROWID */
    sqlite3_finalize(statement);
    sqlite3_free(sql);
    return KITH_OK;
}

/* SELECT "a", "b" FROM "t": names come from the table itself and are quoted. Rows come in the order
 * of their numbers, whatever indexes there are. */
static kith_status select_wanted(const source *s, const sqlite *db, const kith_column_spec *specs,
                                 size_t count, sqlite3_stmt **statement, kith_error *error)
{
    const char *number;
    TRY(row_numbers(s, db, &number, error));
    sqlite3_str *sql = sqlite3_str_new(db->handle);
    sqlite3_str_appendall(sql, count == 0 ? "SELECT 1" : "SELECT ");
    for (size_t i = 0; i < count; i++)
        sqlite3_str_appendf(sql, "%s\"%w\"", i == 0 ? "" : ", ", specs[i].name);
    sqlite3_str_appendf(sql, " FROM \"%w\"", db->table);
    if (number != NULL)
        sqlite3_str_appendall(sql, " NOT INDEXED");
    if (s->rows != NULL && s->rows->found)
        sqlite3_str_appendf(sql, " WHERE %s BETWEEN %lld AND %lld", number,
                            (long long)s->rows->from, (long long)s->rows->to);
    if (number != NULL)
        sqlite3_str_appendf(sql, " ORDER BY %s", number);
    if (s->rows != NULL && !s->rows->found)
        sqlite3_str_appendf(sql, " LIMIT %lld OFFSET %lld", (long long)s->rows->count,
                            (long long)s->rows->first);
    return sqlite_prepare(db, s->scratch, sqlite3_str_finish(sql), "read", statement, error);
}

/* Where parts end. Each step goes on from the last one, so that the table is gone through once. */
static kith_status find_ends(const source *s, const sqlite *db, const char *number,
                             source_rows *parts, uint32_t n_parts, kith_error *error)
{
    sqlite3_stmt *statement;
    sqlite3_int64 last = INT64_MIN;
    char *sql =
        sqlite3_mprintf("SELECT %s FROM \"%w\" NOT INDEXED WHERE %s >= ?1 ORDER BY %s LIMIT "
                        "1 OFFSET ?2",
                        number, db->table, number, number);
    TRY(sqlite_prepare(db, s->scratch, sql, "read", &statement, error));
    for (uint32_t i = 0; i < n_parts && parts[i].count > 0; i++) {
        sqlite3_bind_int64(statement, 1, i == 0 ? last : last + 1);
        sqlite3_bind_int64(statement, 2, (sqlite3_int64)parts[i].count - 1);
        if (sqlite3_step(statement) != SQLITE_ROW)
            return sqlite_failed(db, "read", error);
        last = sqlite3_column_int64(statement, 0);
        source_rows_end(parts, n_parts, i, last);
        sqlite3_reset(statement);
    }
    return KITH_OK;
}

/* A table has an order of its own; a view need not have the same with LIMIT. */
kith_status sqlite_source_cut(const source *s, source_rows *parts, uint32_t n_parts, bool *cut,
                              kith_error *error)
{
    sqlite *db;
    const char *number;
    uint64_t n_tables = 0, n_rows = 0;
    TRY(sqlite_open(&db, s->scratch, s->uri, false, error));
    TRY(sqlite_run(db, "BEGIN", "read", error));
    char *sql = sqlite3_mprintf(
        "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = %Q COLLATE NOCASE",
        db->table);
    TRY(ask_number(s, db, sql, &n_tables, error));
    *cut = n_tables > 0;
    if (!*cut)
        return KITH_OK;
    sql = sqlite3_mprintf("SELECT COUNT(*) FROM \"%w\"", db->table);
    TRY(ask_number(s, db, sql, &n_rows, error));
    source_rows_divide(parts, n_parts, n_rows);
    TRY(row_numbers(s, db, &number, error));
    return number == NULL ? KITH_OK : find_ends(s, db, number, parts, n_parts, error);
}

kith_status sqlite_source_read(const source *s, kith_table **table, kith_error *error)
{
    sqlite *db;
    table_builder *b;
    sqlite3_stmt *statement;
    const char **names = NULL;
    const kith_column_spec *specs = NULL;
    uint32_t *pick = NULL;
    size_t width = 0, count = 0;
    bool exists = false;
    TRY(sqlite_open(&db, s->scratch, s->uri, false, error));
    TRY(sqlite_has_table(db, &exists, error));
    if (!exists)
        return sqlite_no_table(db, error);
    TRY(column_names(s, db, &names, &width, error));
    TRY(source_pick(s, names, width, &specs, &pick, &count, error));
    TRY(select_wanted(s, db, specs, count, &statement, error));
    TRY(table_builder_new(&b, s->memory, s->name, specs, count, s->options, error));
    TRY(put_rows(s, db, statement, b, specs, count, error));
    return source_finish(s, b, pick, table, error);
}
