/* Writing the release: COPY into a table that gets its name at the end. */
#include "core/error.h"
#include "job/store/sql_store_internal.h"

/* Whoever may not create tables is told what is needed. */
static kith_status with_hint(kith_status status, kith_error *error)
{
    if (status != KITH_IO)
        return status;
    return error_hint(error, status,
                      "the user of the address needs the right to create tables in its schema");
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

kith_status sql_store_open_release(void *self, const publication_columns *columns,
                                   kith_error *error)
{
    sql_store *s = self;
    arena *memory = s->context->memory;
    const postgres_columns wanted = {.names = columns->names,
                                     .whole = (const dictionary *const *)columns->whole,
                                     .count = columns->count};
    s->names = columns->names;
    s->n_columns = columns->count;
    s->run = TRY_ALLOC(context_run_to_the_end(s->context), error);
    TRY(postgres_open(&s->out, memory, s->options->output, s->run, "write", error));
    TRY(check_names(s, error));
    /* The search may take long: the server need not keep the snapshot for it. */
    TRY(postgres_run(s->data->db, "COMMIT", PGRES_COMMAND_OK, "read", error));
    TRY(postgres_run(s->out, "BEGIN", PGRES_COMMAND_OK, "write", error));
    TRY(with_hint(
        postgres_staging_create(&s->staging, s->out, memory, &wanted, s->options->overwrite, error),
        error));
    return postgres_copy_begin(&s->rows, s->out, memory, s->staging.quoted, s->n_columns, error);
}

kith_status sql_store_put(void *self, uint32_t piece, const release *r, kith_error *error)
{
    sql_store *s = self;
    arena *scratch = TRY_ALLOC(arena_new(), error);
    const char **cells = arena_array(scratch, s->n_columns, sizeof *cells);
    char *ranges = arena_array(scratch, s->n_columns, RELEASE_CELL_BYTES);
    kith_status status = cells == NULL || ranges == NULL ? error_nomem(error) : KITH_OK;
    (void)piece;
    /* Who stops the search just now wants what it has found; who does it while the server takes the
     * rows wants to end. */
    (void)context_progress(s->context, "write", -1);
    for (uint32_t i = 0; status == KITH_OK && i < r->n_rows; i++) {
        for (uint32_t j = 0; j < s->n_columns; j++)
            cells[j] = release_cell(r, i, j, ranges + (size_t)j * RELEASE_CELL_BYTES);
        status = postgres_copy_row(&s->rows, cells, error);
    }
    s->n_rows += r->n_rows;
    arena_free(scratch);
    return status;
}

kith_status sql_store_finish(void *self, kith_error *error)
{
    sql_store *s = self;
    return postgres_copy_end(&s->rows, error);
}

kith_status sql_store_commit(void *self, kith_error *error)
{
    sql_store *s = self;
    TRY(postgres_staging_publish(&s->staging, s->out, s->context->memory, error));
    return postgres_commit(s->out, error);
}
