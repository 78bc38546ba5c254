/* What pages keep between requests. */
#include "console/pages/workspace.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <kith/tools.h>

#include "console/pages/histogram.h"
#include "console/server/files.h"
#include "console/server/json.h"

struct workspace {
    pthread_mutex_t lock;
    dataset *held; /* NULL: nothing was opened yet */
};

workspace *workspace_new(void)
{
    workspace *space = calloc(1, sizeof *space);
    if (space != NULL)
        pthread_mutex_init(&space->lock, NULL);
    return space;
}

static void free_dataset(dataset *d)
{
    if (d == NULL)
        return;
    for (size_t i = 0; d->counts != NULL && i < kith_table_n_columns(d->table); i++)
        free(d->counts[i]);
    free(d->counts);
    cJSON_Delete(d->pictures);
    kith_document_free(d->description);
    kith_table_free(d->table);
    free(d);
}

void workspace_free(workspace *space)
{
    if (space == NULL)
        return;
    free_dataset(space->held);
    pthread_mutex_destroy(&space->lock);
    free(space);
}

/* The lock is held. */
static void release(dataset *d)
{
    if (d != NULL && --d->n_holders == 0)
        free_dataset(d);
}

void workspace_release(workspace *space, dataset *held)
{
    pthread_mutex_lock(&space->lock);
    release(held);
    pthread_mutex_unlock(&space->lock);
}

kith_status source_settings_take(source_settings *settings, const cJSON *body, kith_error *error)
{
    const char *uri;
    TRY(json_need_text(&uri, body, "data", error));
    const char *separator = json_text_or(body, "separator", "");
    const char *encoding = json_text_or(body, "encoding", "");
    if (strlen(uri) >= sizeof settings->uri || strlen(encoding) >= sizeof settings->encoding)
        return json_fail(error, KITH_INVALID, "the name of the data is too long");
    if (strlen(separator) > 1)
        return json_fail(error, KITH_INVALID, "a separator is one character");
    TRY(files_check_data(uri, error));
    memset(settings, 0, sizeof *settings);
    snprintf(settings->uri, sizeof settings->uri, "%s", uri);
    snprintf(settings->encoding, sizeof settings->encoding, "%s", encoding);
    settings->separator = separator[0];
    settings->no_header = json_flag(body, "noHeader");
    return KITH_OK;
}

kith_csv_options source_settings_csv(const source_settings *settings)
{
    return (kith_csv_options)KITH_OPTIONS(
        kith_csv_options, .encoding = settings->encoding[0] == '\0' ? NULL : settings->encoding,
        .no_header = settings->no_header);
}

kith_input source_settings_input(const source_settings *settings, const kith_csv_options *csv)
{
    return (kith_input)KITH_OPTIONS(kith_input,
                                    .uri = settings->uri[0] == '\0' ? NULL : settings->uri,
                                    .separator = settings->separator, .csv = csv);
}

void source_settings_words(const char *words[6], char separator_text[2],
                           const source_settings *settings)
{
    size_t n = 0;
    separator_text[0] = settings->separator;
    separator_text[1] = '\0';
    if (settings->separator != 0) {
        words[n++] = "--separator";
        words[n++] = separator_text;
    }
    if (settings->encoding[0] != '\0') {
        words[n++] = "--encoding";
        words[n++] = settings->encoding;
    }
    if (settings->no_header)
        words[n++] = "--no-header";
    words[n] = NULL;
}

/* Changes when a file does; -1 for databases, which are read anew every time. */
static int64_t stamp_of(const char *uri)
{
    struct stat status;
    if (stat(uri, &status) != 0)
        return -1;
    return (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec + status.st_size;
}

static kith_status count_values(dataset *d, kith_error *error)
{
    const size_t n_columns = kith_table_n_columns(d->table), n_rows = kith_table_n_rows(d->table);
    d->counts = calloc(n_columns + 1, sizeof *d->counts);
    for (size_t c = 0; d->counts != NULL && c < n_columns; c++) {
        const uint32_t *codes = kith_table_codes(d->table, c);
        const size_t n_values = kith_table_n_values(d->table, c);
        d->counts[c] = calloc(n_values + 1, sizeof *d->counts[c]);
        if (d->counts[c] == NULL)
            return json_fail(error, KITH_NOMEM, "out of memory");
        for (size_t i = 0; i < n_rows; i++)
            if (codes[i] < n_values)
                d->counts[c][codes[i]]++;
    }
    return d->counts != NULL ? KITH_OK : json_fail(error, KITH_NOMEM, "out of memory");
}

static kith_status draw_pictures(dataset *d, kith_error *error)
{
    d->pictures = cJSON_CreateArray();
    for (size_t i = 0; i < kith_table_n_columns(d->table); i++) {
        cJSON *picture = cJSON_CreateObject();
        if (picture == NULL || !cJSON_AddItemToArray(d->pictures, picture)) {
            cJSON_Delete(picture);
            return json_fail(error, KITH_NOMEM, "out of memory");
        }
        TRY(histogram_add(picture, d, i, error));
    }
    return d->pictures != NULL ? KITH_OK : json_fail(error, KITH_NOMEM, "out of memory");
}

static kith_status read_dataset(dataset *d, const kith_run *run, kith_error *error)
{
    const kith_csv_options csv = source_settings_csv(&d->from);
    const kith_table_options reading =
        KITH_OPTIONS(kith_table_options, .separator = d->from.separator, .csv = &csv);
    TRY(kith_table_read(&d->table, d->from.uri, &reading, run, error));
    const kith_describe_options describing =
        KITH_OPTIONS(kith_describe_options, .data = KITH_INPUT_TABLE(d->table));
    TRY(kith_describe(&d->description, &describing, run, error));
    TRY(count_values(d, error));
    return draw_pictures(d, error);
}

kith_status workspace_open(dataset **held, workspace *space, const source_settings *from,
                           const kith_run *run, kith_error *error)
{
    const int64_t stamp = stamp_of(from->uri);
    pthread_mutex_lock(&space->lock);
    dataset *d = space->held;
    const bool same =
        d != NULL && stamp >= 0 && d->stamp == stamp && memcmp(&d->from, from, sizeof *from) == 0;
    if (same)
        d->n_holders++;
    pthread_mutex_unlock(&space->lock);
    if (same) {
        *held = d;
        return KITH_OK;
    }
    d = calloc(1, sizeof *d);
    if (d == NULL)
        return json_fail(error, KITH_NOMEM, "out of memory");
    d->from = *from;
    d->stamp = stamp;
    const kith_status status = read_dataset(d, run, error);
    if (status != KITH_OK) {
        free_dataset(d);
        return status;
    }
    pthread_mutex_lock(&space->lock);
    release(space->held);
    space->held = d;
    d->n_holders = 2; /* the workspace and the caller */
    pthread_mutex_unlock(&space->lock);
    *held = d;
    return KITH_OK;
}

kith_status workspace_held(dataset **held, workspace *space, const char *uri, kith_error *error)
{
    pthread_mutex_lock(&space->lock);
    dataset *d = space->held;
    *held = d != NULL && strcmp(d->from.uri, uri) == 0 ? d : NULL;
    if (*held != NULL)
        d->n_holders++;
    pthread_mutex_unlock(&space->lock);
    if (*held == NULL)
        return json_fail(error, KITH_INVALID, "%.300s is not open: open it on the page Data", uri);
    return KITH_OK;
}

kith_status dataset_column(size_t *index, const dataset *d, const char *name, kith_error *error)
{
    for (*index = 0; *index < kith_table_n_columns(d->table); ++*index)
        if (strcmp(kith_table_column_name(d->table, *index), name) == 0)
            return KITH_OK;
    return json_fail(error, KITH_INVALID, "the data has no column '%.300s'", name);
}

const char *dataset_says(const dataset *d, size_t column, const char *key)
{
    char path[96];
    snprintf(path, sizeof path, "columns.%zu.%s", column, key);
    return kith_document_text(d->description, path, "");
}

kith_column_spec dataset_spec(const dataset *d, size_t column)
{
    static const char *const names[] = {[KITH_TYPE_INTEGER] = "integer",
                                        [KITH_TYPE_DECIMAL] = "decimal",
                                        [KITH_TYPE_DATE] = "date"};
    kith_column_spec spec = {.name = kith_table_column_name(d->table, column),
                             .type = KITH_TYPE_STRING};
    const char *type = dataset_says(d, column, "type");
    const char *format = dataset_says(d, column, "format");
    for (size_t i = KITH_TYPE_INTEGER; i <= KITH_TYPE_DATE; i++)
        if (strcmp(type, names[i]) == 0)
            spec.type = (kith_type)i;
    if (strcmp(dataset_says(d, column, "decimal"), "comma") == 0)
        spec.date_format = ",";
    else if (format[0] != '\0')
        spec.date_format = format;
    return spec;
}

kith_status dataset_values(kith_table **values, const dataset *d, size_t column,
                           const kith_table_options *reading, kith_error *error)
{
    const size_t n_values = kith_table_n_values(d->table, column);
    const char **cells = calloc(n_values + 1, sizeof *cells);
    if (cells == NULL)
        return json_fail(error, KITH_NOMEM, "out of memory");
    for (size_t i = 0; i < n_values; i++)
        cells[i] = kith_table_value(d->table, column, i);
    const kith_status status = kith_table_from_cells(values, cells, n_values, reading, error);
    free(cells);
    return status;
}
