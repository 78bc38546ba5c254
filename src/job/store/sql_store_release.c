/* Writing the release: COPY into a temporary table, and from there into the one that remains. */
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "job/store/sql_store_internal.h"

enum { CODE_BYTES = 12 };

/* Whoever may not create tables is told what is needed. */
static kith_status with_hint(kith_status status, kith_error *error)
{
    if (status != KITH_IO)
        return status;
    return error_hint(error, status,
                      "the user of the address needs the rights to create tables in its schema, "
                      "and temporary tables in the database");
}

/* c0, c1, … are released; k0, k1, … the codes of the data in all columns that were read. */
static kith_status create_staging(sql_store *s, kith_error *error)
{
    arena *memory = s->context->memory;
    const char *list = "";
    for (uint32_t i = 0; i < s->columns.count; i++)
        list = TRY_ALLOC(arena_printf(memory, "%sc%u text, ", list, i), error);
    for (uint32_t i = 0; i < s->table.n_columns; i++)
        list =
            TRY_ALLOC(arena_printf(memory, "%s%sk%u integer", list, i == 0 ? "" : ", ", i), error);
    const char *sql = arena_printf(memory, "CREATE TABLE %s (%s) ON COMMIT DROP", s->staging, list);
    return postgres_run(s->out, sql, PGRES_COMMAND_OK, "write", error);
}

/* A table that is being read cannot be replaced: the server would wait for this program to end. It
 * may have another name in the address of the data, or be what a view shows; so the server is asked
 * whether the connection that reads has locked it. */
static kith_status check_names(const sql_store *s, kith_error *error)
{
    arena *memory = s->context->memory;
    const char *name = TRY_ALLOC(postgres_literal(s->out, memory, s->out->quoted), error);
    PGresult *locks = NULL;
    TRY(postgres_query(s->out, memory,
                       arena_printf(memory,
                                    "SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = "
                                    "l.database WHERE d.datname = current_database() AND l.pid = "
                                    "%d AND l.relation = to_regclass(%s)",
                                    PQbackendPID(s->data->db->connection), name),
                       PGRES_TUPLES_OK, "write", &locks, error));
    if (PQntuples(locks) == 0)
        return KITH_OK;
    return error_set(error, KITH_INVALID, "%s is both the data and the release", s->out->shown);
}

/* A temporary table hides others of its name, so it must not have that of the release. */
static const char *staging_name(const postgres *out)
{
    return strcmp(out->table, "kith_release") == 0 ? "pg_temp.kith_rows" : "pg_temp.kith_release";
}

kith_status sql_store_open_release(void *self, const publication_columns *columns,
                                   kith_error *error)
{
    sql_store *s = self;
    arena *memory = s->context->memory;
    s->columns = *columns;
    s->run = TRY_ALLOC(context_run_to_the_end(s->context), error);
    TRY(postgres_open(&s->out, memory, s->options->output, s->run, "write", error));
    s->staging = staging_name(s->out);
    TRY(check_names(s, error));
    TRY(postgres_run(s->out, "BEGIN", PGRES_COMMAND_OK, "write", error));
    if (s->options->overwrite)
        TRY(postgres_run(s->out, arena_printf(memory, "DROP TABLE IF EXISTS %s", s->out->quoted),
                         PGRES_COMMAND_OK, "replace", error));
    kith_status status =
        postgres_copy_create(s->out, memory, columns->names,
                             (const dictionary *const *)columns->whole, columns->count, error);
    if (status == KITH_OK)
        status = create_staging(s, error);
    TRY(with_hint(status, error));
    return postgres_copy_begin(&s->rows, s->out, memory, s->staging,
                               s->columns.count + s->table.n_columns, error);
}

kith_status sql_store_put(void *self, uint32_t piece, const release *r, kith_error *error)
{
    sql_store *s = self;
    const uint32_t n_released = s->columns.count, n_read = s->table.n_columns;
    arena *scratch = TRY_ALLOC(arena_new(), error);
    const char **cells = arena_array(scratch, n_released + (size_t)n_read, sizeof *cells);
    char *ranges = arena_array(scratch, n_released, RELEASE_CELL_BYTES);
    char(*codes)[CODE_BYTES] = arena_array(scratch, n_read, sizeof *codes);
    kith_status status = KITH_OK;
    (void)piece;
    /* Who stops the search just now wants what it has found; who does it while the server takes the
     * rows wants to end. */
    (void)context_progress(s->context, "write", -1);
    if (cells == NULL || ranges == NULL || codes == NULL)
        status = error_nomem(error);
    for (uint32_t i = 0; status == KITH_OK && i < r->n_rows; i++) {
        for (uint32_t j = 0; j < n_released; j++)
            cells[j] = release_cell(r, i, j, ranges + (size_t)j * RELEASE_CELL_BYTES);
        for (uint32_t j = 0; j < n_read; j++) {
            const uint32_t code = s->fetched.columns[j].codes[r->rows[i]];
            snprintf(codes[j], sizeof codes[j], "%d", (int)code);
            cells[n_released + j] = code == TABLE_MISSING ? NULL : codes[j];
        }
        status = postgres_copy_row(&s->rows, cells, error);
    }
    arena_free(scratch);
    return status;
}

kith_status sql_store_finish(void *self, kith_error *error)
{
    sql_store *s = self;
    arena_free(s->pieces_memory);
    s->pieces_memory = NULL;
    return postgres_copy_end(&s->rows, error);
}

kith_status sql_store_commit(void *self, kith_error *error)
{
    sql_store *s = self;
    arena *memory = s->context->memory;
    const char *list = "";
    for (uint32_t i = 0; i < s->columns.count; i++)
        list = TRY_ALLOC(arena_printf(memory, "%s%sc%u::%s", list, i == 0 ? "" : ", ", i,
                                      postgres_copy_type(s->columns.whole[i])),
                         error);
    TRY(postgres_run(
        s->out,
        arena_printf(memory, "INSERT INTO %s SELECT %s FROM %s", s->out->quoted, list, s->staging),
        PGRES_COMMAND_OK, "write", error));
    return postgres_commit(s->out, error);
}
