#include "table/duck_view.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/rng.h"

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

kith_status duck_view_open(duck_view *view, const duck_session *session, const kith_table *table,
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

kith_status duck_view_drop(const duck_view *view, kith_error *error)
{
    return duck_session_run(view->session,
                            arena_printf(view->session->memory, "DROP VIEW %s", view->name),
                            "write", KITH_IO, error);
}

void duck_view_close(duck_view *view)
{
    while (view->schemas != NULL) {
        duck_schema *kept = view->schemas;
        view->schemas = kept->next;
        if (kept->schema.release != NULL)
            kept->schema.release(&kept->schema);
        free(kept);
    }
    if (view->rows.release != NULL)
        view->rows.release(&view->rows);
}
