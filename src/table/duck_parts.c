#include "table/duck_parts.h"

#include <stdlib.h>

#include "core/error.h"
#include "table/uri.h"

/* Columns that DuckDB adds to those of Parquet files. */
static const char file_column[] = "kith_file", row_column[] = "file_row_number";

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
                        (unsigned long long)(rows->skip + rows->count));
}

const char *duck_parts_from(const source *s, const duck_relation *r)
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
    if (duck_relation_has(r, file_column) || duck_relation_has(r, row_column))
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
    if (duck_relation_has(r, "rowid"))
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
