#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/system/output.h"
#include "core/rng.h"
#include "table/arrow/duck_files.h"
#include "table/arrow/duck_session.h"
#include "table/sink.h"
#include "table/table_builder.h"
#include "table/uri.h"

/* The rows become a table in memory first, four bytes for a cell: only then it is known which
 * columns are numbers, and DuckDB takes the whole at once. */
typedef struct duck_sink {
    arena *memory; /* as long as the sink */
    const char *shown;
    uri_kind kind;
    bool overwrite;
    const kith_table *types_of;
    size_t n_columns;
    output *out;           /* files */
    duck_session *session; /* databases; everything happens in one transaction */
    const char *table;
    const char *path, *log; /* of the file; of a database also that of its log */
    bool made, committed;   /* the database's file is ours */
    arena *rows;            /* of the table in the making */
    kith_table_options options;
    table_builder *builder;
} duck_sink;

/* Runs when the arena is freed, after the database is closed. */
static void drop_database(void *object)
{
    duck_sink *s = object;
    if (!s->made || s->committed)
        return;
    unlink(s->path);
    unlink(s->log);
}

static void drop_rows(void *object)
{
    duck_sink *s = object;
    arena_free(s->rows);
    s->rows = NULL;
}

/* No text means missing here: NULL does. Of two columns whose names differ in upper and lower case
 * only DuckDB would rename one. */
static kith_status begin_rows(duck_sink *s, const char *const *names, size_t n_columns,
                              kith_error *error)
{
    static const char *const none[] = {NULL};
    for (size_t i = 0; i < n_columns; i++)
        for (size_t k = 0; k < i; k++)
            if (strcasecmp(names[i], names[k]) == 0)
                return error_set(error, KITH_INVALID,
                                 "%s: DuckDB does not tell the columns '%s' and '%s' apart",
                                 s->shown, names[k], names[i]);
    s->rows = TRY_ALLOC(arena_new_like(s->memory), error);
    s->n_columns = n_columns;
    s->options = (kith_table_options){.size = sizeof s->options, .missing_values = none};
    kith_column_spec *specs = TRY_ZEROS(specs, s->rows, n_columns, error);
    for (size_t i = 0; i < n_columns; i++)
        specs[i].name = names[i];
    return table_builder_new(&s->builder, s->rows, s->shown, specs, n_columns, &s->options, error);
}

static kith_status duck_row(void *self, const char *const *cells, kith_error *error)
{
    duck_sink *s = self;
    for (size_t i = 0; i < s->n_columns; i++) {
        const size_t length = cells[i] == NULL ? 0 : strlen(cells[i]);
        TRY(table_builder_cell(s->builder, i, cells[i], length, error));
    }
    return table_builder_row(s->builder, error);
}

/* A schema that was handed out. */
typedef struct duck_schema {
    struct ArrowSchema schema;
    struct duck_schema *next;
} duck_schema;

/* A table as a view in DuckDB, for one statement that reads it. */
typedef struct duck_view {
    const duck_session *session;
    const char *name; /* used by no other table, and plain */
    struct ArrowArrayStream rows;
    struct ArrowArrayStream given; /* what DuckDB takes over */
    duck_schema *schemas;
    bool failed; /* memory ran out for what DuckDB asked of the table, whatever it then said */
} duck_view;

/* Schemas stay ours: DuckDB never releases the first one that it gets, and changes the release
 * functions of its columns for a while. */
static void keep_schema(struct ArrowSchema *schema)
{
    schema->release = NULL;
}

/* In one of the places where DuckDB asks for a schema it knows no errors but its own, and in
 * another none at all. */
static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    duck_view *view = stream->private_data;
    duck_schema *kept = calloc(1, sizeof *kept);
    *out = (struct ArrowSchema){0};
    if (kept == NULL || view->rows.get_schema(&view->rows, &kept->schema) != 0) {
        free(kept);
        view->failed = true;
        return DUCK_ERROR;
    }
    kept->next = view->schemas;
    view->schemas = kept;
    *out = kept->schema;
    out->release = keep_schema;
    return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    duck_view *view = stream->private_data;
    const int code = view->rows.get_next(&view->rows, out);
    view->failed = view->failed || code != 0;
    return code;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    duck_view *view = stream->private_data;
    return view->rows.get_last_error(&view->rows);
}

static void release(struct ArrowArrayStream *stream)
{
    stream->release = NULL;
}

/* The view must stay where it is until it is closed, whatever the result. */
static kith_status open_view(duck_view *view, const duck_session *session, const kith_table *table,
                             const kith_table *types_of, kith_error *error)
{
    const kith_arrow_options options = KITH_OPTIONS(kith_arrow_options, .types_of = types_of);
    *view = (duck_view){.session = session};
    view->given = (struct ArrowArrayStream){.get_schema = get_schema,
                                            .get_next = get_next,
                                            .get_last_error = get_last_error,
                                            .release = release,
                                            .private_data = view};
    view->name = TRY_ALLOC(
        arena_printf(session->memory, "kith_rows_%016llx", (unsigned long long)rng_fresh_seed()),
        error);
    TRY(kith_table_to_arrow(&view->rows, table, &options, error));
    if (session->library->arrow_scan(session->connection, view->name, &view->given) == DUCK_SUCCESS)
        return KITH_OK;
    return error_nomem(error);
}

/* JSON has one kind of number, which would turn 1.50 into 1.5. */
static const char *column_in_json(arena *memory, const char *name, int type)
{
    const bool whole = type >= DUCK_TYPE_TINYINT && type <= DUCK_TYPE_UBIGINT;
    const char *quoted = duck_session_quote(memory, name, '"');
    if (quoted == NULL || whole)
        return quoted;
    return arena_printf(memory, "CAST(%s AS VARCHAR) AS %s", quoted, quoted);
}

/* What is written of the rows. */
static kith_status wanted_columns(const duck_sink *s, const duck_session *session, const char *view,
                                  const kith_table *table, const char **list, kith_error *error)
{
    const duck_library *duck = session->library;
    arena *memory = session->memory;
    duck_prepared rows;
    *list = "*";
    if (s->kind != URI_JSON)
        return KITH_OK;
    TRY(duck_session_prepare(session, arena_printf(memory, "SELECT * FROM %s", view), &rows,
                             error));
    const char **parts = TRY_ARRAY(parts, memory, table->n_columns, error);
    for (uint32_t i = 0; i < table->n_columns; i++)
        parts[i] = TRY_ALLOC(column_in_json(memory, table->columns[i].name,
                                            duck->prepared_statement_column_type(rows, i)),
                             error);
    *list = TRY_ALLOC(duck_session_join(memory, parts, table->n_columns), error);
    return KITH_OK;
}

/* Runs a statement made of `before`, the query for all rows of a view, and `after`; nothing of the
 * view is left in the database. */
static kith_status write_view(const duck_sink *s, const duck_view *view, const kith_table *table,
                              const char *before, const char *after, kith_error *error)
{
    const duck_session *session = view->session;
    const char *list = NULL;
    TRY(wanted_columns(s, session, view->name, table, &list, error));
    const char *sql =
        arena_printf(session->memory, "%sSELECT %s FROM %s%s", before, list, view->name, after);
    TRY(duck_session_run(session, sql, "write", KITH_IO, error));
    sql = arena_printf(session->memory, "DROP VIEW %s", view->name);
    return duck_session_run(session, sql, "write", KITH_IO, error);
}

static kith_status duck_sink_write_rows(duck_sink *s, const duck_session *session,
                                        const char *before, const char *after, kith_error *error)
{
    kith_table *table;
    TRY(table_builder_finish(s->builder, &table, error));
    duck_view view;
    kith_status status = open_view(&view, session, table, s->types_of, error);
    if (status == KITH_OK)
        status = write_view(s, &view, table, before, after, error);
    if (status != KITH_OK && view.failed)
        status = error_nomem(error);
    /* Of a view that is left in the database because of an error, the transaction takes the rest.
     */
    while (view.schemas != NULL) {
        duck_schema *kept = view.schemas;
        view.schemas = kept->next;
        if (kept->schema.release != NULL)
            kept->schema.release(&kept->schema);
        free(kept);
    }
    if (view.rows.release != NULL)
        view.rows.release(&view.rows);
    s->rows = NULL; /* the table owns it */
    kith_table_free(table);
    return status;
}

/* DuckDB writes into the temporary file that is there, so that its lock stays. */
static kith_status copy_to_file(duck_sink *s, arena *scratch, kith_error *error)
{
    const char *const *paths;
    size_t count;
    duck_session *session;
    TRY(duck_files_find(&paths, &count, scratch, output_temporary(s->out), error));
    const duck_request request = {.shown = s->shown, .paths = paths, .n_paths = count};
    TRY(duck_session_open(&session, scratch, &request, error));
    const char *quoted = TRY_ALLOC(duck_session_quote(scratch, paths[0], '\''), error);
    const char *ending = strrchr(s->path, '.'); /* the kind was told by it */
    const char *format = s->kind == URI_PARQUET             ? "parquet"
                         : strcasecmp(ending, ".json") == 0 ? "json, ARRAY true"
                                                            : "json, ARRAY false";
    const char *after = TRY_ALLOC(
        arena_printf(scratch, ") TO %s (USE_TMP_FILE false, FORMAT %s)", quoted, format), error);
    return duck_sink_write_rows(s, session, "COPY (", after, error);
}

static kith_status finish_file(void *self, kith_error *error)
{
    duck_sink *s = self;
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(s->memory), error);
    TRY(copy_to_file(s, scratch, error));
    return output_finish(s->out, error);
}

static kith_status open_file(sink *result, duck_sink *s, kith_error *error)
{
    const duck_library *library;
    TRY(duck_library_get(&library, s->shown, error)); /* before anything that takes long */
    TRY(output_open(&s->out, s->memory, s->path, s->overwrite, error));
    if (output_temporary(s->out) == NULL)
        return error_set(error, KITH_INVALID, "%s is not a file", s->path);
    if (uri_which(output_temporary(s->out)) != s->kind)
        return error_set(error, KITH_INVALID, "%s: the name is too long", s->path);
    *result = (sink){.row = duck_row, .finish = finish_file, .file = s->out, .self = s};
    return KITH_OK;
}

/* Refuses to replace a table unless the user asked for it; `*old` is its name in SQL, NULL: there
 * is none. */
static kith_status find_old(const duck_sink *s, const char **old, kith_error *error)
{
    TRY(duck_session_table(s->session, s->table, old, error));
    return *old == NULL || s->overwrite ? KITH_OK : error_exists(error, s->shown);
}

static kith_status finish_table(void *self, kith_error *error)
{
    duck_sink *s = self;
    const char *name;
    TRY(find_old(s, &name, error));
    if (name != NULL)
        TRY(duck_session_run(s->session, arena_printf(s->memory, "DROP TABLE %s", name), "replace",
                             KITH_IO, error));
    else
        name = TRY_ALLOC(duck_session_quote(s->memory, s->table, '"'), error);
    const char *before = TRY_ALLOC(arena_printf(s->memory, "CREATE TABLE %s AS ", name), error);
    return duck_sink_write_rows(s, s->session, before, "", error);
}

static kith_status next_table(void *self, const char *suffix, const char *const *names,
                              size_t n_columns, kith_error *error)
{
    duck_sink *s = self;
    TRY(finish_table(s, error));
    s->table = TRY_ALLOC(arena_printf(s->memory, "%s%s", s->table, suffix), error);
    s->types_of = NULL;
    return begin_rows(s, names, n_columns, error);
}

static kith_status commit_table(void *self, kith_error *error)
{
    duck_sink *s = self;
    TRY(duck_session_run(s->session, "COMMIT", "write", KITH_IO, error));
    s->committed = true;
    return KITH_OK;
}

/* A database that was there before keeps its permissions. Its log is a file of its own until the
 * database is closed. */
static void keep_database_private(void *self)
{
    duck_sink *s = self;
    if (!s->made)
        return;
    (void)!chmod(s->path, S_IRUSR | S_IWUSR);
    const int descriptor =
        s->log == NULL ? -1 : open(s->log, O_WRONLY | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (descriptor >= 0)
        close(descriptor);
}

static kith_status open_database(sink *result, duck_sink *s, const char *uri, kith_error *error)
{
    const char *address, *old;
    TRY(uri_split(s->memory, uri, &address, &s->table, error));
    /* With a slash no part of it is taken for the name of an extension. */
    s->path =
        TRY_ALLOC(arena_printf(s->memory, "%s%s", address[0] == '/' ? "" : "./", address), error);
    s->log = TRY_ALLOC(arena_printf(s->memory, "%s.wal", s->path), error);
    s->made = access(s->path, F_OK) != 0;
    if (!s->made)
        TRY(duck_files_check_database(s->path, error));
    TRY_ALLOC(arena_defer(s->memory, drop_database, s), error); /* after the database is closed */
    const duck_request request = {.shown = s->shown, .database = s->path, .writable = true};
    TRY(duck_session_open(&s->session, s->memory, &request, error));
    TRY(duck_session_run(s->session, "BEGIN TRANSACTION", "write", KITH_IO, error));
    TRY(find_old(s, &old, error));
    *result = (sink){.row = duck_row,
                     .finish = finish_table,
                     .commit = commit_table,
                     .next = next_table,
                     .keep_private = keep_database_private,
                     .self = s};
    return KITH_OK;
}

kith_status duck_sink_open(sink *result, const sink_request *request, kith_error *error)
{
    duck_sink *s = TRY_ZEROS(s, request->memory, 1, error);
    s->memory = request->memory;
    s->shown = request->shown;
    s->kind = uri_which(request->uri);
    s->overwrite = request->overwrite;
    s->types_of = request->types_of;
    s->path = TRY_ALLOC(arena_strdup(s->memory, request->uri), error);
    if (s->kind == URI_DUCKDB)
        TRY(open_database(result, s, request->uri, error));
    else
        TRY(open_file(result, s, error));
    TRY_ALLOC(arena_defer(s->memory, drop_rows, s), error);
    return begin_rows(s, request->names, request->n_columns, error);
}
