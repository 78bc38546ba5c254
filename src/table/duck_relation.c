#include "table/duck_relation.h"

#include <string.h>
#include <strings.h>

#include "core/error.h"
#include "core/text.h"
#include "table/duck_files.h"
#include "table/uri.h"

enum { QUOTE_BYTES = 200 };

/* The names that DuckDB hands out end at a NUL. */
static kith_status refuse_nul(const source *s, const duck_session *session, const duck_relation *r,
                              kith_error *error)
{
    const char *found;
    TRY(duck_session_ask(session,
                         arena_printf(s->scratch,
                                      "SELECT 1 FROM (DESCRIBE SELECT * FROM %s) WHERE "
                                      "contains(column_name, chr(0)) LIMIT 1",
                                      r->sql),
                         &found, error));
    return found == NULL
               ? KITH_OK
               : error_set(error, KITH_DATA, "%s: the name of a column has a NUL in it", s->name);
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
    return refuse_nul(s, session, r, error);
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

bool duck_relation_has(const duck_relation *r, const char *name)
{
    for (size_t i = 0; i < r->width; i++)
        if (strcasecmp(r->names[i], name) == 0)
            return true;
    return false;
}
