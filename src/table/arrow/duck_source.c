#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "table/arrow/duck_relation.h"
#include "table/source.h"
#include "table/uri.h"

enum { QUOTE_BYTES = 200, REASON_BYTES = 400 };

/* The answer to a query as Arrow arrays, chunk by chunk: rows are never text on their way. */
typedef struct duck_stream {
    const duck_session *session;
    duck_prepared statement;
    duck_arrow_options options;
    duck_result result;
    bool has_result;
    char reason[REASON_BYTES]; /* why DuckDB failed; empty: it did not */
} duck_stream;

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

/* SELECT "a", CAST("b" AS VARCHAR) AS "b" FROM …: names come from the source itself. */
static kith_status select_wanted(const source *s, const duck_session *session,
                                 const duck_relation *r, const uint32_t *pick, size_t count,
                                 duck_prepared *statement, kith_error *error)
{
    const bool json = uri_which(s->uri) == URI_JSON;
    const char **parts = TRY_ARRAY(parts, s->scratch, count, error);
    for (size_t i = 0; i < count; i++) {
        const char *name = r->names[pick[i]];
        const reading how = how_to_read(r->types[pick[i]]);
        if (how == REFUSED) {
            const int type = r->types[pick[i]];
            char quoted[QUOTE_BYTES];
            text_quote(quoted, sizeof quoted, name, strlen(name));
            const char *what = type == DUCK_TYPE_BLOB     ? "binary data"
                               : type == DUCK_TYPE_LIST   ? "lists"
                               : type == DUCK_TYPE_ARRAY  ? "lists"
                               : type == DUCK_TYPE_STRUCT ? "structures"
                               : type == DUCK_TYPE_MAP    ? "maps"
                                                          : "values of another kind";
            error_set(error, KITH_DATA, "%s: column '%s' has %s, expected texts, numbers or dates",
                      s->name, quoted, what);
            return error_hint(error, KITH_DATA,
                              "leave it out of the study, or turn it into plain columns");
        }
        name = TRY_ALLOC(duck_session_quote(s->scratch, name, '"'), error);
        parts[i] = how == READ_PLAIN || json
                       ? name
                       : arena_printf(s->scratch, "CAST(%s AS VARCHAR) AS %s", name, name);
        TRY_ALLOC(parts[i], error);
    }
    const char *list = TRY_ALLOC(duck_session_join(s->scratch, parts, count), error);
    const char *from = TRY_ALLOC(duck_relation_from(s, r), error);
    return duck_session_prepare(
        session, arena_printf(s->scratch, "SELECT %s FROM %s", count == 0 ? "true" : list, from),
        statement, error);
}

static int fail(duck_stream *self, const char *reason)
{
    snprintf(self->reason, sizeof self->reason, "%s",
             reason == NULL ? "DuckDB does not say why" : reason);
    return EIO;
}

/* 0, or an errno with the reason noted. */
static int take_error(duck_stream *self, duck_error_data error)
{
    const duck_library *duck = self->session->library;
    const int code = error != NULL && duck->error_data_has_error(error)
                         ? fail(self, duck->error_data_message(error))
                         : 0;
    if (error != NULL)
        duck->destroy_error_data(&error);
    return code;
}

static int fill_schema(duck_stream *self, duck_logical_type *types, const char **names,
                       duck_index count, struct ArrowSchema *out)
{
    const duck_library *duck = self->session->library;
    for (duck_index i = 0; i < count; i++) {
        types[i] = duck->prepared_statement_column_logical_type(self->statement, i);
        names[i] = duck->prepared_statement_column_name(self->statement, i);
    }
    const int code =
        take_error(self, duck->to_arrow_schema(self->options, types, names, count, out));
    for (duck_index i = 0; i < count; i++) {
        duck->destroy_logical_type(&types[i]);
        duck->free((void *)names[i]);
    }
    return code;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    duck_stream *self = stream->private_data;
    const duck_index count =
        self->session->library->prepared_statement_column_count(self->statement);
    duck_logical_type *types = calloc(count, sizeof *types);
    const char **names = calloc(count, sizeof *names);
    const int code =
        types == NULL || names == NULL ? ENOMEM : fill_schema(self, types, names, count, out);
    free(types);
    free(names);
    return code;
}

/* At the end the array stays without a release function, as the interface wants it. */
static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    duck_stream *self = stream->private_data;
    const duck_library *duck = self->session->library;
    memset(out, 0, sizeof *out);
    duck_chunk chunk = duck->fetch_chunk(self->result);
    if (chunk == NULL) {
        const char *reason = duck->result_error(&self->result);
        return reason == NULL || reason[0] == '\0' ? 0 : fail(self, reason);
    }
    const int code = take_error(self, duck->data_chunk_to_arrow(self->options, chunk, out));
    duck->destroy_data_chunk(&chunk);
    return code;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    const duck_stream *self = stream->private_data;
    return self->reason[0] == '\0' ? NULL : self->reason;
}

static void release(struct ArrowArrayStream *stream)
{
    duck_stream *self = stream->private_data;
    const duck_library *duck = self->session->library;
    if (self->has_result)
        duck->destroy_result(&self->result);
    if (self->options != NULL)
        duck->destroy_arrow_options(&self->options);
    self->has_result = false;
    stream->release = NULL;
}

/* Works until the first rows are there, which in a view may take long: the caller may stop it after
 * every task, of some thousand rows. */
static kith_status run_tasks(const duck_stream *self, const source *s, duck_pending pending,
                             kith_error *error)
{
    const duck_library *duck = self->session->library;
    for (;;) {
        const duck_pending_state state = duck->pending_execute_task(pending);
        if (state == DUCK_PENDING_READY || state == DUCK_PENDING_ERROR)
            return KITH_OK; /* the result says what is wrong */
        const kith_status status = source_progress(s, -1, error);
        if (status != KITH_OK) {
            duck->interrupt(self->session->connection); /* or closing it waits for other threads */
            return status;
        }
        if (state == DUCK_PENDING_NO_TASKS)
            poll(NULL, 0, 1); /* other threads have them all */
    }
}

/* Begins the query for a source, whose caller is asked meanwhile whether to stop. `self` must live
 * longer than the stream. */
static kith_status open_stream(struct ArrowArrayStream *stream, duck_stream *self, const source *s,
                               const duck_session *session, duck_prepared statement,
                               kith_error *error)
{
    const duck_library *duck = session->library;
    *self = (duck_stream){.session = session, .statement = statement};
    *stream = (struct ArrowArrayStream){.get_schema = get_schema,
                                        .get_next = get_next,
                                        .get_last_error = get_last_error,
                                        .release = release,
                                        .private_data = self};
    duck->connection_get_arrow_options(session->connection, &self->options);
    duck_pending pending = NULL;
    kith_status status = KITH_OK;
    if (duck->pending_prepared_streaming(statement, &pending) != DUCK_SUCCESS)
        status =
            duck_session_failed(session, "read", KITH_DATA, duck->pending_error(pending), error);
    if (status == KITH_OK)
        status = run_tasks(self, s, pending, error);
    if (status == KITH_OK) {
        self->has_result = true;
        if (duck->execute_pending(pending, &self->result) != DUCK_SUCCESS) {
            const char *reason = duck->result_error(&self->result);
            status =
                duck_session_failed(session, "read", KITH_DATA,
                                    reason != NULL ? reason : duck->pending_error(pending), error);
        }
    }
    duck->destroy_pending(&pending);
    if (status != KITH_OK)
        release(stream);
    return status;
}

kith_status duck_source_read(const source *s, kith_table **table, kith_error *error)
{
    duck_session *session = NULL;
    duck_relation relation = {0};
    duck_prepared statement = NULL;
    const kith_column_spec *specs = NULL;
    uint32_t *pick = NULL;
    size_t count = 0;
    TRY(duck_relation_open(&relation, &session, s, error));
    TRY(source_pick(s, relation.names, relation.width, &specs, &pick, &count, error));
    TRY(select_wanted(s, session, &relation, pick, count, &statement, error));
    /* An error of DuckDB reaches the reader of the stream without the name of the data. */
    struct ArrowArrayStream stream;
    kith_table_options options = *s->options;
    source rows = *s;
    options.columns = specs;
    options.n_columns = count;
    rows.options = &options;
    duck_stream *self = TRY_ALLOC(arena_alloc(s->scratch, sizeof *self), error);
    TRY(open_stream(&stream, self, s, session, statement, error));
    const kith_status status = arrow_source_read(&rows, &stream, table, error);
    TRY(status != KITH_OK && self->reason[0] != '\0'
            ? duck_session_failed(session, "read", KITH_DATA, self->reason, error)
            : status);
    for (uint32_t i = 0; i < (*table)->n_columns; i++)
        (*table)->columns[i].place = pick[i];
    return KITH_OK;
}
