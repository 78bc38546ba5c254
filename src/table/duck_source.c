#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/error.h"
#include "core/text.h"
#include "table/duck_files.h"
#include "table/duck_stream.h"
#include "table/source.h"
#include "table/uri.h"

enum { QUOTE_BYTES = 200 };

/* What a source is in SQL: something that FROM takes, and its columns. */
typedef struct duck_relation {
    const char *sql;
    const char **names; /* [width] */
    int *types;         /* [width] those of DuckDB */
    size_t width;
} duck_relation;

/* How a column is read: as it is, as its text, or not at all. */
typedef enum reading { READ_PLAIN, READ_AS_TEXT, REFUSED } reading;

static reading how_to_read(int type)
{
    switch (type) {
    case DUCK_TYPE_TIME:
    case DUCK_TYPE_INTERVAL:
    case DUCK_TYPE_HUGEINT:
    case DUCK_TYPE_UUID:
    case DUCK_TYPE_BIT:
    case DUCK_TYPE_TIME_TZ:
    case DUCK_TYPE_UHUGEINT: return READ_AS_TEXT;
    case DUCK_TYPE_BLOB:
    case DUCK_TYPE_LIST:
    case DUCK_TYPE_STRUCT:
    case DUCK_TYPE_MAP:
    case DUCK_TYPE_UNION:
    case DUCK_TYPE_ARRAY: return REFUSED;
    case DUCK_TYPE_NULL: return READ_AS_TEXT;
    default: return type <= DUCK_TYPE_LAST_KNOWN ? READ_PLAIN : REFUSED;
    }
}

static kith_status refuse_column(const source *s, const char *name, int type, kith_error *error)
{
    char quoted[QUOTE_BYTES];
    text_quote(quoted, sizeof quoted, name, strlen(name));
    const char *what = type == DUCK_TYPE_BLOB     ? "binary data"
                       : type == DUCK_TYPE_LIST   ? "lists"
                       : type == DUCK_TYPE_ARRAY  ? "lists"
                       : type == DUCK_TYPE_STRUCT ? "structures"
                       : type == DUCK_TYPE_MAP    ? "maps"
                                                  : "values of another kind";
    error_set(error, KITH_DATA, "%s: column '%s' has %s, expected texts, numbers or dates", s->name,
              quoted, what);
    return error_hint(error, KITH_DATA, "leave it out of the study, or turn it into plain columns");
}

/* The columns of a relation, by a statement that is not run. */
static kith_status find_columns(const source *s, const duck_session *session, duck_relation *r,
                                kith_error *error)
{
    const duck_library *duck = session->library;
    duck_prepared statement;
    TRY(duck_session_prepare(session, arena_printf(s->scratch, "SELECT * FROM %s", r->sql),
                             &statement, error));
    r->width = duck->prepared_statement_column_count(statement);
    r->names = TRY_ALLOC(arena_array(s->scratch, r->width, sizeof *r->names), error);
    r->types = TRY_ALLOC(arena_array(s->scratch, r->width, sizeof *r->types), error);
    for (size_t i = 0; i < r->width; i++) {
        const char *name = TRY_ALLOC(duck->prepared_statement_column_name(statement, i), error);
        r->names[i] = arena_strdup(s->scratch, name);
        duck->free((void *)name);
        TRY_ALLOC(r->names[i], error);
        r->types[i] = duck->prepared_statement_column_type(statement, i);
    }
    return KITH_OK;
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
    const char **columns = TRY_ALLOC(arena_array(s->scratch, r->width, sizeof *columns), error);
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
    const char **both = TRY_ALLOC(arena_array(s->scratch, 2 * count, sizeof *both), error);
    for (size_t i = 0; i < count; i++) {
        both[i] = TRY_ALLOC(duck_files_escape(s->scratch, paths[i]), error);
        both[count + i] = paths[i];
    }
    const duck_request request = {
        .shown = s->name, .paths = both, .n_paths = 2 * count, .n_threads = s->run->n_threads};
    TRY(duck_session_open(session, s->scratch, &request, error));
    const char *files = TRY_ALLOC(duck_session_quote_all(s->scratch, both, count, '\''), error);
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

/* SELECT "a", CAST("b" AS VARCHAR) AS "b" FROM …: names come from the source itself. */
static kith_status select_wanted(const source *s, const duck_session *session,
                                 const duck_relation *r, const uint32_t *pick, size_t count,
                                 duck_prepared *statement, kith_error *error)
{
    const bool json = uri_which(s->uri) == URI_JSON;
    const char **parts = TRY_ALLOC(arena_array(s->scratch, count, sizeof *parts), error);
    for (size_t i = 0; i < count; i++) {
        const char *name = r->names[pick[i]];
        const reading how = how_to_read(r->types[pick[i]]);
        if (how == REFUSED)
            return refuse_column(s, name, r->types[pick[i]], error);
        name = TRY_ALLOC(duck_session_quote(s->scratch, name, '"'), error);
        parts[i] = how == READ_PLAIN || json
                       ? name
                       : arena_printf(s->scratch, "CAST(%s AS VARCHAR) AS %s", name, name);
        TRY_ALLOC(parts[i], error);
    }
    const char *list = TRY_ALLOC(duck_session_join(s->scratch, parts, count), error);
    const char *only = "";
    if (s->rows != NULL)
        only = TRY_ALLOC(arena_printf(s->scratch, " LIMIT %llu OFFSET %llu",
                                      (unsigned long long)s->rows->count,
                                      (unsigned long long)s->rows->first),
                         error);
    return duck_session_prepare(
        session,
        arena_printf(s->scratch, "SELECT %s FROM %s%s", count == 0 ? "true" : list, r->sql, only),
        statement, error);
}

kith_status duck_source_count(const source *s, uint64_t *n_rows, kith_error *error)
{
    duck_session *session = NULL;
    duck_relation relation = {0};
    const char *number;
    TRY(open_files(s, &session, &relation, error));
    const char *sql =
        arena_printf(s->scratch, "SELECT CAST(COUNT(*) AS VARCHAR) FROM %s", relation.sql);
    TRY(duck_session_ask(session, sql, &number, error));
    *n_rows = number == NULL ? SOURCE_UNCOUNTED : strtoull(number, NULL, 10);
    return KITH_OK;
}

/* An error of DuckDB reaches the reader of the stream without the name of the data. */
static kith_status read_rows(const source *s, const duck_session *session, duck_prepared statement,
                             const kith_column_spec *specs, size_t count, kith_table **table,
                             kith_error *error)
{
    struct ArrowArrayStream stream;
    kith_table_options options = *s->options;
    source rows = *s;
    options.columns = specs;
    options.n_columns = count;
    rows.options = &options;
    duck_stream *self = TRY_ALLOC(arena_alloc(s->scratch, sizeof *self), error);
    TRY(duck_stream_open(&stream, self, s, session, statement, error));
    const kith_status status = arrow_source_read(&rows, &stream, table, error);
    return status != KITH_OK && self->reason[0] != '\0'
               ? duck_session_failed(session, "read", KITH_DATA, self->reason, error)
               : status;
}

kith_status duck_source_read(const source *s, kith_table **table, kith_error *error)
{
    duck_session *session = NULL;
    duck_relation relation = {0};
    duck_prepared statement = NULL;
    const kith_column_spec *specs = NULL;
    uint32_t *pick = NULL;
    size_t count = 0;
    if (uri_which(s->uri) == URI_DUCKDB)
        TRY(open_database(s, &session, &relation, error));
    else
        TRY(open_files(s, &session, &relation, error));
    TRY(source_pick(s, relation.names, relation.width, &specs, &pick, &count, error));
    TRY(select_wanted(s, session, &relation, pick, count, &statement, error));
    TRY(read_rows(s, session, statement, specs, count, table, error));
    for (uint32_t i = 0; i < (*table)->n_columns; i++)
        (*table)->columns[i].place = pick[i];
    return KITH_OK;
}
