/* kith_table_from_arrow: a table from the record batches of a stream. */
#include <errno.h>
#include <stdio.h>

#include "core/error.h"
#include "core/options.h"
#include "core/text.h"
#include "table/arrow/arrow_column.h"
#include "table/source.h"
#include "table/typed_value.h"

enum { NAME_BYTES = 100, PLACE_BYTES = 160 };

/* A stream that is being read. */
typedef struct arrow_reading {
    source from;
    struct ArrowArrayStream *stream;
    struct ArrowSchema schema;
    const kith_column_spec *specs; /* [n_columns] */
    uint32_t *pick;                /* [n_columns] children of the schema */
    arrow_column **columns;        /* [n_columns] */
    size_t n_columns;
    table_builder *builder;
    uint64_t batch; /* counts from 1 */
} arrow_reading;

/* What a stream says of itself, as far as it can be shown. */
static kith_status stream_failed(const arrow_reading *m, int code, const char *what,
                                 kith_error *error)
{
    const char *said =
        m->stream->get_last_error == NULL ? NULL : m->stream->get_last_error(m->stream);
    char quoted[800];
    const char *reason = said != NULL && said[0] != '\0' ? said : strerror(code);
    text_quote(quoted, sizeof quoted, reason, strlen(reason));
    return error_set(error, code == ENOMEM ? KITH_NOMEM : KITH_IO, "the Arrow stream has no %s: %s",
                     what, quoted);
}

static kith_status read_schema(arrow_reading *m, kith_error *error)
{
    struct ArrowSchema *s = &m->schema;
    int code = m->stream->get_schema(m->stream, s);
    if (code != 0) {
        s->release = NULL; /* the stream has not filled it */
        return stream_failed(m, code, "schema", error);
    }
    if (s->release == NULL || s->format == NULL)
        return error_set(error, KITH_DATA, "the schema of the Arrow stream %s",
                         s->release == NULL ? "has been released" : "has no format");
    if (strcmp(s->format, "+s") != 0 || s->dictionary != NULL) {
        char quoted[NAME_BYTES];
        text_quote(quoted, sizeof quoted, s->format, strlen(s->format));
        return error_set(error, KITH_DATA, "the Arrow stream has type '%s', expected a struct (+s)",
                         quoted);
    }
    if (s->n_children < 0 || s->n_children >= UINT32_MAX ||
        (s->n_children > 0 && s->children == NULL))
        return error_set(error, KITH_DATA, "the Arrow stream has %lld columns%s",
                         (long long)s->n_children,
                         s->children == NULL ? ", and none is there" : "");
    return KITH_OK;
}

static kith_status choose_columns(arrow_reading *m, kith_error *error)
{
    const size_t width = (size_t)m->schema.n_children;
    const char **names = TRY_ARRAY(names, m->from.scratch, width, error);
    for (size_t i = 0; i < width; i++) {
        /* Names are texts of the table: UTF-8, and trimmed where cells are. */
        const struct ArrowSchema *child = m->schema.children[i];
        if (child == NULL)
            return error_set(error, KITH_DATA, "column %zu of the Arrow stream is NULL", i + 1);
        const char *text = child->name == NULL ? "" : child->name;
        size_t length = strlen(text);
        if (text_utf8_error(text, length) < length)
            return error_set(error, KITH_DATA,
                             "the name of column %zu of the Arrow stream is not valid UTF-8",
                             i + 1);
        if (m->from.options->trim)
            typed_value_trim(&text, &length);
        names[i] = TRY_ALLOC(arena_strndup(m->from.scratch, text, length), error);
    }
    TRY(source_pick(&m->from, names, width, &m->specs, &m->pick, &m->n_columns, error));
    for (size_t i = 0; i < m->n_columns; i++)
        for (size_t k = 0; k < width; k++)
            if (k != m->pick[i] && strcmp(names[k], names[m->pick[i]]) == 0)
                return error_set(error, KITH_DATA, "%s: two columns are called '%s'", m->from.name,
                                 names[k]);
    return KITH_OK;
}

/* Says which column a message is about. */
static kith_status at_column(const arrow_reading *m, size_t which, kith_status status,
                             kith_error *error)
{
    if (error == NULL || status != KITH_DATA)
        return status;
    char batch[PLACE_BYTES] = "";
    kith_error plain = *error;
    if (m->batch > 0 && m->from.uri == NULL)
        snprintf(batch, sizeof batch, ", batch %llu", (unsigned long long)m->batch);
    return error_set(error, status, "%s%s: column %s: %s", m->from.name, batch,
                     m->specs[which].name, plain.message);
}

/* The types of the columns that are wanted; others may have any. */
static kith_status begin_columns(arrow_reading *m, kith_error *error)
{
    arena *scratch = m->from.scratch;
    const arrow_type **types = TRY_ARRAY(types, scratch, m->n_columns, error);
    kith_column_spec *specs = TRY_ARRAY(specs, scratch, m->n_columns, error);
    for (size_t i = 0; i < m->n_columns; i++) {
        kith_status status =
            arrow_type_of(&types[i], scratch, m->schema.children[m->pick[i]], error);
        TRY(at_column(m, i, status, error));
        specs[i] = m->specs[i];
        if (m->from.options->columns == NULL)
            specs[i].type = arrow_type_nearest(types[i]);
    }
    m->specs = specs;
    TRY(table_builder_new(&m->builder, m->from.memory, m->from.name, specs, m->n_columns,
                          m->from.options, error));
    m->columns = TRY_ARRAY(m->columns, scratch, m->n_columns, error);
    for (size_t i = 0; i < m->n_columns; i++)
        TRY(arrow_column_new(&m->columns[i], scratch, types[i], &specs[i], m->builder, i, error));
    return KITH_OK;
}

/* A record batch is a struct without nulls. */
static kith_status check_batch(const arrow_reading *m, const struct ArrowArray *a,
                               kith_error *error)
{
    const char *wrong = a->length < 0                              ? "a negative length"
                        : a->offset < 0                            ? "a negative offset"
                        : a->offset > INT64_MAX - a->length        ? "too large an offset"
                        : a->n_children != m->schema.n_children    ? "a wrong number of columns"
                        : a->n_children > 0 && a->children == NULL ? "no columns"
                        : a->n_buffers != 1                        ? "a wrong number of buffers"
                        : a->dictionary != NULL                    ? "a dictionary"
                                                                   : NULL;
    const uint8_t *valid =
        wrong != NULL || a->null_count == 0 || a->buffers == NULL ? NULL : a->buffers[0];
    if (a->null_count > 0 && valid == NULL && wrong == NULL)
        wrong = "nulls, and no validity bitmap";
    for (int64_t i = 0; valid != NULL && wrong == NULL && i < a->length; i++)
        if ((valid[(a->offset + i) >> 3] >> ((a->offset + i) & 7) & 1) == 0)
            wrong = "rows that are null";
    if (wrong == NULL)
        return KITH_OK;
    return error_set(error, KITH_DATA, "%s: batch %llu of the Arrow stream has %s", m->from.name,
                     (unsigned long long)m->batch, wrong);
}

static kith_status read_batch(arrow_reading *m, uint64_t row, const struct ArrowArray *a,
                              kith_error *error)
{
    TRY(check_batch(m, a, error));
    /* Before room is made for its rows: are they there? */
    for (size_t i = 0; i < m->n_columns; i++) {
        const struct ArrowArray *child = a->children[m->pick[i]];
        if (child != NULL && child->length >= a->offset + a->length)
            continue;
        error_set(error, KITH_DATA, "its Arrow array has %lld values, expected %lld",
                  child == NULL ? 0 : (long long)child->length, (long long)(a->offset + a->length));
        return at_column(m, i, KITH_DATA, error);
    }
    TRY(table_builder_reserve(m->builder, (size_t)a->length, error));
    for (size_t i = 0; i < m->n_columns; i++) {
        size_t wrong = 0;
        kith_status status = arrow_column_read(m->columns[i], a->children[m->pick[i]], a->offset,
                                               (size_t)a->length, &wrong, error);
        if (status != KITH_OK && wrong == (size_t)a->length)
            return at_column(m, i, status, error);
        char place[PLACE_BYTES];
        snprintf(place, sizeof place, "%s, batch %llu", m->from.name, (unsigned long long)m->batch);
        /* Batches are nothing that a reader of a file knows. */
        TRY(source_at_row(m->from.uri == NULL ? place : m->from.name, row + wrong + 1, status,
                          error));
    }
    table_builder_rows(m->builder, (size_t)a->length);
    return KITH_OK;
}

static kith_status read_batches(arrow_reading *m, kith_error *error)
{
    for (uint64_t row = m->from.rows == NULL ? 0 : m->from.rows->first;;) {
        struct ArrowArray batch = {0};
        m->batch++;
        int code = m->stream->get_next(m->stream, &batch);
        if (code != 0)
            return stream_failed(m, code, "next batch", error);
        if (batch.release == NULL)
            return source_progress(&m->from, 1, error);
        kith_status status = read_batch(m, row, &batch, error);
        row += (uint64_t)batch.length;
        batch.release(&batch);
        TRY(status);
        TRY(row_spill_take(m->from.spill, m->builder, false, error));
        TRY(source_progress(&m->from, -1, error));
    }
}

kith_status arrow_source_read(const source *s, struct ArrowArrayStream *stream, kith_table **table,
                              kith_error *error)
{
    arrow_reading m = {.from = *s, .stream = stream};
    kith_status status = read_schema(&m, error);
    if (status == KITH_OK)
        status = choose_columns(&m, error);
    if (status == KITH_OK)
        status = begin_columns(&m, error);
    if (status == KITH_OK)
        status = read_batches(&m, error);
    if (status == KITH_OK)
        status = source_finish(s, m.builder, m.pick, table, error);
    if (m.schema.release != NULL)
        m.schema.release(&m.schema);
    stream->release(stream);
    stream->release = NULL;
    return status;
}

kith_status kith_table_from_arrow(kith_table **table, struct ArrowArrayStream *stream,
                                  const kith_table_options *options, const kith_run *run,
                                  kith_error *error)
{
    kith_table_options own;
    kith_run own_run;
    *table = NULL;
    if (stream == NULL || stream->release == NULL)
        return error_set(error, KITH_INVALID, "the Arrow stream has been released or moved before");
    source s = {.name = TABLE_IN_MEMORY, .options = &own, .run = &own_run};
    kith_status status = table_take_options(&own, options, error);
    if (status == KITH_OK)
        status = options_take_run(&own_run, run, error);
    s.memory = arena_new();
    s.scratch = arena_new();
    if (status == KITH_OK && (s.memory == NULL || s.scratch == NULL))
        status = error_nomem(error);
    if (status == KITH_OK && (stream->get_schema == NULL || stream->get_next == NULL))
        status = error_set(error, KITH_INVALID, "the Arrow stream has no functions to read it by");
    if (status == KITH_OK)
        status = arrow_source_read(&s, stream, table, error);
    if (stream->release != NULL)
        stream->release(stream);
    stream->release = NULL;
    arena_free(s.scratch);
    if (status == KITH_OK) {
        table_return_pages(*table);
    } else {
        arena_free(s.memory);
        *table = NULL;
    }
    return status;
}
