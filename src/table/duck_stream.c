#include "table/duck_stream.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

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

static kith_status take_result(duck_stream *self, duck_pending pending, kith_error *error)
{
    const duck_library *duck = self->session->library;
    if (duck->execute_pending(pending, &self->result) == DUCK_SUCCESS)
        return KITH_OK;
    const char *reason = duck->result_error(&self->result);
    return duck_session_failed(self->session, "read", KITH_DATA,
                               reason != NULL ? reason : duck->pending_error(pending), error);
}

kith_status duck_stream_open(struct ArrowArrayStream *stream, duck_stream *self, const source *s,
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
        status = take_result(self, pending, error);
    }
    duck->destroy_pending(&pending);
    if (status != KITH_OK)
        release(stream);
    return status;
}
