#include "table/arrow/duck_relation.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/error.h"
#include "core/text.h"
#include "table/arrow/duck_files.h"
#include "table/uri.h"

enum { QUOTE_BYTES = 200 };

/* Columns that DuckDB adds to those of Parquet files. */
static const char file_column[] = "kith_file", row_column[] = "file_row_number";

/* The columns of a relation, by a statement that is not run. */
static kith_status find_columns(const source *s, const duck_session *session, duck_relation *r,
                                kith_error *error)
{
    const duck_library *duck = session->library;
    duck_prepared statement;
    TRY(duck_session_prepare(session, arena_printf(s->scratch, "SELECT * FROM %s", r->sql),
                             &statement, error));
    r->width = duck->prepared_statement_column_count(statement);
    r->names = TRY_ARRAY(r->names, s->scratch, r->width, error);
    r->types = TRY_ARRAY(r->types, s->scratch, r->width, error);
    for (size_t i = 0; i < r->width; i++) {
        const char *name = TRY_ALLOC(duck->prepared_statement_column_name(statement, i), error);
        r->names[i] = arena_strdup(s->scratch, name);
        duck->free((void *)name);
        TRY_ALLOC(r->names[i], error);
        r->types[i] = duck->prepared_statement_column_type(statement, i);
    }
    /* The names that DuckDB hands out end at a NUL. */
    const char *found, *sql = arena_printf(s->scratch,
                                           "SELECT 1 FROM (DESCRIBE SELECT * FROM %s) WHERE "
                                           "contains(column_name, chr(0)) LIMIT 1",
                                           r->sql);
    TRY(duck_session_ask(session, sql, &found, error));
    return found == NULL
               ? KITH_OK
               : error_set(error, KITH_DATA, "%s: the name of a column has a NUL in it", s->name);
}

/* Of two keys that differ in upper and lower case only DuckDB renames the second, and then does not
 * find it: every value would be missing. */
static kith_status refuse_renamed(const source *s, const duck_session *session, const char *files,
                                  const char *name, kith_error *error)
{
    const char *found, *text = TRY_ALLOC(duck_session_quote(s->scratch, name, '\''), error);
    TRY(duck_session_ask(session,
                         arena_printf(s->scratch,
                                      "SELECT 1 FROM read_json_objects([%s]) WHERE "
                                      "list_contains(json_keys(json), %s) LIMIT 1",
                                      files, text),
                         &found, error));
    if (found != NULL)
        return KITH_OK;
    const int length = (int)(strrchr(name, '_') - name);
    return error_set(error, KITH_DATA,
                     "%s: two keys are called '%.*s', but for upper and lower case, which DuckDB "
                     "does not tell apart",
                     s->name, length < QUOTE_BYTES ? length : QUOTE_BYTES, name);
}

/* Does a name end as DuckDB would rename a column, in _1 or the like, and begin as another one? */
static bool may_be_renamed(const duck_relation *r, size_t which)
{
    const char *name = r->names[which], *mark = strrchr(name, '_');
    if (mark == NULL || mark[1] == '\0' || mark[1 + strspn(mark + 1, "0123456789")] != '\0')
        return false;
    const size_t length = (size_t)(mark - name);
    for (size_t i = 0; i < which; i++)
        if (strlen(r->names[i]) == length && strncasecmp(r->names[i], name, length) == 0)
            return true;
    return false;
}

/* DuckDB would turn texts of JSON that look like times into its own form of them, so a second look
 * takes every value as its text. Nested columns stay what they are, and are refused if wanted. */
static kith_status json_as_text(const source *s, const duck_session *session, const char *files,
                                duck_relation *r, kith_error *error)
{
    const char **columns = TRY_ARRAY(columns, s->scratch, r->width, error);
    for (size_t i = 0; i < r->width; i++) {
        const char *name = TRY_ALLOC(duck_session_quote(s->scratch, r->names[i], '\''), error);
        columns[i] = TRY_ALLOC(arena_printf(s->scratch, "%s: 'VARCHAR'", name), error);
        if (may_be_renamed(r, i))
            TRY(refuse_renamed(s, session, files, r->names[i], error));
    }
    const char *list = TRY_ALLOC(duck_session_join(s->scratch, columns, r->width), error);
    r->sql =
        TRY_ALLOC(arena_printf(s->scratch, "read_json([%s], columns = {%s})", files, list), error);
    return KITH_OK;
}

/* Partitions in the names of directories would become columns, which the files do not have. */
static kith_status open_files(const source *s, duck_session **session, duck_relation *r,
                              kith_error *error)
{
    const bool json = uri_which(s->uri) == URI_JSON;
    const char *const *paths;
    size_t count;
    TRY(duck_files_find(&paths, &count, s->scratch, s->uri, error));
    /* DuckDB wants to be allowed both what it is told and what that means. */
    const char **both = TRY_ARRAY(both, s->scratch, 2 * count, error);
    for (size_t i = 0; i < count; i++) {
        both[i] = TRY_ALLOC(duck_files_escape(s->scratch, paths[i]), error);
        both[count + i] = paths[i];
    }
    const duck_request request = {
        .shown = s->name, .paths = both, .n_paths = 2 * count, .n_threads = s->run->n_threads};
    TRY(duck_session_open(session, s->scratch, &request, error));
    const char *files = TRY_ALLOC(duck_session_quote_all(s->scratch, both, count, '\''), error);
    r->paths = paths;
    r->n_paths = count;
    r->files = files;
    r->sql =
        TRY_ALLOC(arena_printf(s->scratch,
                               json ? "read_json([%s], sample_size = -1, hive_partitioning = false)"
                                    : "read_parquet([%s], hive_partitioning = false)",
                               files),
                  error);
    TRY(find_columns(s, *session, r, error));
    return json ? json_as_text(s, *session, files, r, error) : KITH_OK;
}

static kith_status no_table(const source *s, const duck_session *session, const char *table,
                            kith_error *error)
{
    const char *list;
    TRY(duck_session_ask(session,
                         "SELECT string_agg(CASE table_schema WHEN 'main' THEN '' ELSE "
                         "table_schema || '.' END || table_name, ', ' ORDER BY table_schema, "
                         "table_name) FROM information_schema.tables WHERE table_catalog = "
                         "current_database()",
                         &list, error));
    char quoted[QUOTE_BYTES];
    text_quote(quoted, sizeof quoted, table, strlen(table));
    error_set(error, KITH_DATA, "%s: no table '%s'", s->name, quoted);
    if (list == NULL)
        return error_hint(error, KITH_DATA, "the database has no tables");
    char tables[2 * QUOTE_BYTES];
    text_quote(tables, sizeof tables, list, strlen(list));
    return error_hint(error, KITH_DATA, "its tables are: %s", tables);
}

static kith_status open_database(const source *s, duck_session **session, duck_relation *r,
                                 kith_error *error)
{
    const char *address, *table;
    const char *const *paths;
    size_t count;
    TRY(uri_split(s->scratch, s->uri, &address, &table, error));
    TRY(duck_files_check_database(address, error));
    TRY(duck_files_find(&paths, &count, s->scratch, address, error));
    const duck_request request = {
        .shown = s->name, .database = paths[0], .n_threads = s->run->n_threads};
    TRY(duck_session_open(session, s->scratch, &request, error));
    TRY(duck_session_table(*session, table, &r->sql, error));
    if (r->sql == NULL)
        return no_table(s, *session, table, error);
    return find_columns(s, *session, r, error);
}

kith_status duck_relation_open(duck_relation *r, duck_session **session, const source *s,
                               kith_error *error)
{
    return uri_which(s->uri) == URI_DUCKDB ? open_database(s, session, r, error)
                                           : open_files(s, session, r, error);
}

static bool has_column(const duck_relation *r, const char *name)
{
    for (size_t i = 0; i < r->width; i++)
        if (strcasecmp(r->names[i], name) == 0)
            return true;
    return false;
}

static const char *by_counting(const source *s, const char *from, uint64_t skip)
{
    return arena_printf(s->scratch, "%s LIMIT %llu OFFSET %llu", from,
                        (unsigned long long)s->rows->count, (unsigned long long)skip);
}

/* Other files are not opened for their rows. All are named, because the first has the types. */
static const char *from_parquet(const source *s, const duck_relation *r)
{
    const source_rows *rows = s->rows;
    const size_t n_files = (size_t)(rows->to - rows->from) + 1;
    const char *wanted = duck_session_quote_all(s->scratch, r->paths + rows->from, n_files, '\'');
    const char *from =
        wanted == NULL
            ? NULL
            : arena_printf(s->scratch,
                           "read_parquet([%s], hive_partitioning = false, %s = true, filename = "
                           "'%s') WHERE %s IN (%s)",
                           r->files, row_column, file_column, file_column, wanted);
    if (from == NULL || n_files > 1)
        return from == NULL ? NULL : by_counting(s, from, rows->skip);
    return arena_printf(s->scratch, "%s AND %s >= %llu AND %s < %llu", from, row_column,
                        (unsigned long long)rows->skip, row_column,
                        (unsigned long long)rows->skip + rows->count);
}

const char *duck_relation_from(const source *s, const duck_relation *r)
{
    if (s->rows == NULL)
        return r->sql;
    if (!s->rows->found)
        return by_counting(s, r->sql, s->rows->first);
    if (uri_which(s->uri) == URI_PARQUET)
        return from_parquet(s, r);
    return arena_printf(s->scratch, "%s WHERE rowid BETWEEN %lld AND %lld", r->sql,
                        (long long)(s->rows->from < 0 ? 0 : s->rows->from), (long long)s->rows->to);
}

/* Files and rows of them where parts begin and end; `numbers` are those of the rows of all files,
 * in one text. */
static void find_files(source_rows *parts, uint32_t n_parts, const duck_relation *r,
                       const char *numbers)
{
    uint64_t before = 0; /* rows of the files before this one */
    uint32_t open = 0;   /* the first part that has not ended */
    for (size_t file = 0; file < r->n_paths && open < n_parts; file++) {
        char *end;
        const uint64_t n_rows = strtoull(numbers, &end, 10);
        numbers = *end == ',' ? end + 1 : end;
        for (uint32_t i = open; i < n_parts && parts[i].count > 0; i++) {
            const uint64_t first = parts[i].first, last = first + parts[i].count - 1;
            if (first >= before && first - before < n_rows) {
                parts[i].from = (int64_t)file;
                parts[i].skip = first - before;
            }
            if (last >= before && last - before < n_rows) {
                parts[i].to = (int64_t)file;
                parts[i].found = true;
                open = i + 1;
            }
        }
        before += n_rows;
    }
}

static kith_status cut_parquet(const source *s, const duck_session *session, const duck_relation *r,
                               source_rows *parts, uint32_t n_parts, kith_error *error)
{
    const char *numbers;
    if (has_column(r, file_column) || has_column(r, row_column))
        return KITH_OK;
    const char *paths =
        TRY_ALLOC(duck_session_quote_all(s->scratch, r->paths, r->n_paths, '\''), error);
    TRY(duck_session_ask(
        session,
        arena_printf(s->scratch,
                     "SELECT string_agg(num_rows, ',' ORDER BY list_position([%s], "
                     "file_name)) FROM parquet_file_metadata([%s])",
                     paths, r->files),
        &numbers, error));
    if (numbers != NULL)
        find_files(parts, n_parts, r, numbers);
    return KITH_OK;
}

static kith_status is_table(bool *table, const source *s, const duck_session *session,
                            const duck_relation *r, kith_error *error)
{
    const char *found, *name = TRY_ALLOC(duck_session_quote(s->scratch, r->sql, '\''), error);
    TRY(duck_session_ask(session,
                         arena_printf(s->scratch,
                                      "SELECT 1 FROM information_schema.tables WHERE table_type = "
                                      "'BASE TABLE' AND table_catalog = current_database() AND "
                                      "'\"' || replace(table_schema, '\"', '\"\"') || '\".\"' || "
                                      "replace(table_name, '\"', '\"\"') || '\"' = %s",
                                      name),
                         &found, error));
    *table = found != NULL;
    return KITH_OK;
}

/* The numbers of the rows at which parts end. */
static kith_status cut_table(const source *s, const duck_session *session, const duck_relation *r,
                             source_rows *parts, uint32_t n_parts, kith_error *error)
{
    const char *places = "", *numbers;
    if (has_column(r, "rowid"))
        return KITH_OK;
    for (uint32_t i = 0; i < n_parts && parts[i].count > 0; i++)
        places = TRY_ALLOC(arena_printf(s->scratch, "%s%s%llu", places, i == 0 ? "" : ", ",
                                        (unsigned long long)(parts[i].first + parts[i].count)),
                           error);
    if (places[0] == '\0')
        return KITH_OK;
    TRY(duck_session_ask(
        session,
        arena_printf(s->scratch,
                     "SELECT string_agg(number, ',' ORDER BY place) FROM (SELECT "
                     "rowid AS number, row_number() OVER () AS place FROM %s) WHERE "
                     "place IN (%s)",
                     r->sql, places),
        &numbers, error));
    for (uint32_t i = 0; i < n_parts && parts[i].count > 0 && numbers != NULL; i++) {
        char *end;
        source_rows_end(parts, n_parts, i, strtoll(numbers, &end, 10));
        numbers = *end == ',' ? end + 1 : end;
    }
    return KITH_OK;
}

/* The order of a view is its own affair. */
kith_status duck_source_cut(const source *s, source_rows *parts, uint32_t n_parts, bool *cut,
                            kith_error *error)
{
    const uri_kind kind = uri_which(s->uri);
    duck_session *session = NULL;
    duck_relation relation = {0};
    const char *number;
    *cut = true;
    TRY(duck_relation_open(&relation, &session, s, error));
    if (kind == URI_DUCKDB)
        TRY(is_table(cut, s, session, &relation, error));
    if (!*cut)
        return KITH_OK;
    const char *sql =
        arena_printf(s->scratch, "SELECT CAST(COUNT(*) AS VARCHAR) FROM %s", relation.sql);
    TRY(duck_session_ask(session, sql, &number, error));
    source_rows_divide(parts, n_parts, number == NULL ? 0 : strtoull(number, NULL, 10));
    return kind == URI_DUCKDB    ? cut_table(s, session, &relation, parts, n_parts, error)
           : kind == URI_PARQUET ? cut_parquet(s, session, &relation, parts, n_parts, error)
                                 : KITH_OK;
}
