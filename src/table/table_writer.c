#include "table/table_writer.h"

#include <string.h>

#include "core/error.h"
#include "table/sink.h"
#include "table/uri.h"

struct table_writer {
    sink sink;
    bool finished;
};

static kith_status open_sink(sink *s, const sink_request *request, kith_error *error)
{
    switch (uri_which(request->uri)) {
    case URI_SQLITE: return sqlite_sink_open(s, request, error);
    case URI_POSTGRES: return postgres_sink_open(s, request, error);
    case URI_DUCKDB:
    case URI_PARQUET:
    case URI_JSON: return duck_sink_open(s, request, error);
    case URI_CSV: break;
    }
    return csv_sink_open(s, request, error);
}

kith_status table_writer_open(table_writer **w, arena *memory, const char *uri, char separator,
                              bool overwrite, const char *const *names, size_t n_columns,
                              kith_error *error)
{
    return table_writer_open_whole(w, memory, uri, separator, overwrite, names, NULL, NULL,
                                   n_columns, NULL, error);
}

kith_status table_writer_open_whole(table_writer **w, arena *memory, const char *uri,
                                    char separator, bool overwrite, const char *const *names,
                                    const dictionary *const *whole, const kith_table *from,
                                    size_t n_columns, const kith_run *run, kith_error *error)
{
    table_writer *fresh = TRY_ZEROS(fresh, memory, 1, error);
    sink_request request = {.memory = memory,
                            .uri = uri,
                            .separator = separator,
                            .overwrite = overwrite,
                            .names = names,
                            .whole = whole,
                            .types_of = from,
                            .n_columns = n_columns,
                            .run = run};
    request.shown =
        TRY_ALLOC(strcmp(uri, "-") == 0 ? "standard output" : uri_shown(memory, uri), error);
    if (n_columns == 0)
        return error_set(error, KITH_INVALID, "%s: a table without columns cannot be written",
                         request.shown);
    TRY(open_sink(&fresh->sink, &request, error));
    *w = fresh;
    return KITH_OK;
}

kith_status table_writer_row(table_writer *w, const char *const *cells, kith_error *error)
{
    return w->sink.row(w->sink.self, cells, error);
}

kith_status table_writer_rows(table_writer *w, const kith_table *table, arena *memory,
                              kith_error *error)
{
    const char **cells = TRY_ARRAY(cells, memory, table->n_columns, error);
    for (uint32_t row = 0; row < table->n_rows; row++) {
        for (uint32_t i = 0; i < table->n_columns; i++)
            cells[i] = kith_table_cell(table, row, i);
        TRY(table_writer_row(w, cells, error));
    }
    return KITH_OK;
}

kith_status table_writer_next(table_writer *w, const char *suffix, const char *const *names,
                              size_t n_columns, kith_error *error)
{
    if (w->sink.next == NULL)
        return error_set(error, KITH_INVALID, "a file cannot hold several tables");
    return w->sink.next(w->sink.self, suffix, names, n_columns, error);
}

/* May be called twice: by a caller who reads the result before the commit, and by the commit. */
kith_status table_writer_finish(table_writer *w, kith_error *error)
{
    if (w->finished)
        return KITH_OK;
    w->finished = true;
    return w->sink.finish == NULL ? KITH_OK : w->sink.finish(w->sink.self, error);
}

const char *table_writer_readable(const table_writer *w)
{
    return w->sink.file == NULL ? NULL : output_temporary(w->sink.file);
}

bool table_writer_keep_private(table_writer *w)
{
    if (w->sink.file != NULL)
        output_keep_private(w->sink.file);
    else if (w->sink.keep_private != NULL)
        w->sink.keep_private(w->sink.self);
    return table_writer_readable(w) != NULL;
}

static kith_status commit_last(void *self, kith_error *error)
{
    return table_writer_commit(self, error);
}

kith_status table_writer_stage(table_writer *w, stage *s, kith_error *error)
{
    TRY(table_writer_finish(w, error));
    if (w->sink.file != NULL)
        stage_add(s, w->sink.file);
    else
        stage_end_with(s, commit_last, w);
    return KITH_OK;
}

kith_status table_writer_commit(table_writer *w, kith_error *error)
{
    TRY(table_writer_finish(w, error));
    return w->sink.file != NULL ? output_commit(w->sink.file, error)
                                : w->sink.commit(w->sink.self, error);
}
