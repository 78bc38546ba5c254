#include "table/source.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/error.h"
#include "core/options.h"
#include "core/text.h"
#include "table/csv/csv_files.h"
#include "table/arrow/duck_files.h"
#include "table/database/postgres.h"
#include "table/uri.h"

kith_status source_progress(const source *s, double done, kith_error *error)
{
    if (s->run == NULL || s->run->progress == NULL)
        return KITH_OK;
    if (s->run->progress(s->run->user, s->phase == NULL ? "load" : s->phase, done))
        return KITH_OK;
    return error_set(error, KITH_CANCELLED, "interrupted while reading %s", s->name);
}

kith_status source_at_row(const char *name, uint64_t row, kith_status status, kith_error *error)
{
    if (error == NULL || status != KITH_DATA)
        return status;
    kith_error plain = *error;
    error_set(error, status, "%s: row %llu: %s", name, (unsigned long long)row, plain.message);
    return plain.hint[0] == '\0' ? status : error_hint(error, status, "%s", plain.hint);
}

/* Lists the columns that exist, as far as the message has room. */
static kith_status unknown_column(const source *s, const char *wanted, const char *const *names,
                                  size_t width, kith_error *error)
{
    char text[200], list[400];
    size_t used = 0;
    text_quote(text, sizeof text, wanted, strlen(wanted));
    error_set(error, KITH_DATA, "%s: no column '%s'", s->name, text);
    list[0] = '\0';
    for (size_t i = 0; i < width && used < sizeof list - 40; i++) {
        text_quote(text, 64, names[i], strlen(names[i]));
        int n = snprintf(list + used, sizeof list - used, "%s%s", i == 0 ? "" : ", ", text);
        used += (size_t)n < sizeof list - used ? (size_t)n : sizeof list - used - 1;
        if (i + 1 < width && used >= sizeof list - 40)
            snprintf(list + used, sizeof list - used, ", …");
    }
    if (width == 1 && s->options->columns != NULL && s->uri != NULL && uri_which(s->uri) == URI_CSV)
        return error_hint(error, KITH_DATA,
                          "its only column is: %s; if that is several, --separator C says what "
                          "separates them",
                          list);
    return error_hint(error, KITH_DATA, "its columns are: %s", list);
}

/* Linear: columns are few beside rows. */
static uint32_t position(const char *const *names, size_t width, const char *name)
{
    for (uint32_t i = 0; i < width; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return UINT32_MAX;
}

/* Behind the wanted columns, those that `also` names. */
static kith_status pick_more(const source *s, const char *const *names, size_t width,
                             const kith_column_spec **specs, uint32_t **pick, size_t *count,
                             kith_error *error)
{
    const size_t wanted = *count;
    kith_column_spec *all = TRY_ARRAY(all, s->scratch, wanted + width, error);
    uint32_t *places = TRY_ARRAY(places, s->scratch, wanted + width, error);
    memcpy(all, *specs, wanted * sizeof *all);
    memcpy(places, *pick, wanted * sizeof *places);
    for (uint32_t i = 0; i < width; i++) {
        bool there = !s->also(s->also_user, names[i]) || position(names, width, names[i]) != i;
        for (size_t k = 0; k < wanted && !there; k++)
            there = places[k] == i;
        if (there)
            continue;
        all[*count] = (kith_column_spec){.name = names[i]};
        places[(*count)++] = i;
    }
    *specs = all;
    *pick = places;
    return KITH_OK;
}

kith_status source_pick(const source *s, const char *const *names, size_t width,
                        const kith_column_spec **specs, uint32_t **pick, size_t *count,
                        kith_error *error)
{
    const kith_table_options *options = s->options;
    *count = options->columns == NULL ? width : options->n_columns;
    *pick = arena_array(s->scratch, *count, sizeof **pick);
    TRY_ALLOC(*pick, error);
    if (options->columns == NULL) {
        kith_column_spec *all = TRY_ARRAY(all, s->scratch, width, error);
        *specs = all;
        /* A column without a name can be left out, but not asked for. */
        for (uint32_t i = 0; i < width; i++) {
            if (names[i][0] == '\0') {
                error_set(error, KITH_DATA, "%s: column %u has no name", s->name, i + 1);
                return error_hint(
                    error, KITH_DATA,
                    "give it a name in the header, or name the columns that are wanted");
            }
            all[i] = (kith_column_spec){.name = names[i]};
            (*pick)[i] = i;
        }
        return KITH_OK;
    }
    *specs = options->columns;
    for (size_t i = 0; i < *count; i++) {
        (*pick)[i] = position(names, width, options->columns[i].name);
        if ((*pick)[i] == UINT32_MAX)
            return unknown_column(s, options->columns[i].name, names, width, error);
    }
    return s->also == NULL ? KITH_OK : pick_more(s, names, width, specs, pick, count, error);
}

kith_status source_finish(const source *s, table_builder *b, const uint32_t *pick,
                          kith_table **table, kith_error *error)
{
    TRY(s->spill == NULL ? table_builder_finish(b, table, error)
                         : row_spill_finish(s->spill, b, table, error));
    for (uint32_t i = 0; i < (*table)->n_columns; i++)
        (*table)->columns[i].place = pick[i];
    return KITH_OK;
}

kith_status source_read_whole(const source *s, kith_table **table, kith_error *error)
{
    switch (uri_which(s->uri)) {
    case URI_SQLITE: return sqlite_source_read(s, table, error);
    case URI_POSTGRES: return postgres_source_read(s, table, error);
    case URI_DUCKDB:
    case URI_PARQUET:
    case URI_JSON: return duck_source_read(s, table, error);
    case URI_CSV: break;
    }
    return csv_source_read(s, table, error);
}

kith_status source_cut(const source *s, source_rows *parts, uint32_t n_parts, bool *cut,
                       kith_error *error)
{
    *cut = false;
    switch (uri_which(s->uri)) {
    case URI_SQLITE: return sqlite_source_cut(s, parts, n_parts, cut, error);
    case URI_DUCKDB:
    case URI_PARQUET:
    case URI_JSON: return duck_source_cut(s, parts, n_parts, cut, error);
    case URI_POSTGRES:
    case URI_CSV: break;
    }
    return KITH_OK;
}

void source_rows_divide(source_rows *parts, uint32_t n_parts, uint64_t n_rows)
{
    const uint64_t each = n_rows / n_parts, more = n_rows % n_parts;
    for (uint32_t i = 0; i < n_parts; i++)
        parts[i] =
            (source_rows){.first = i * each + (i < more ? i : more), .count = each + (i < more)};
}

void source_rows_end(source_rows *parts, uint32_t n_parts, uint32_t which, int64_t last)
{
    parts[which].found = true;
    parts[which].from = which == 0 ? INT64_MIN : parts[which - 1].to + 1;
    parts[which].to = which + 1 == n_parts ? INT64_MAX : last;
}

kith_status source_read(kith_table **table, const char *uri, const kith_table_options *options,
                        const kith_run *run, source_reader *read, void *user, kith_error *error)
{
    kith_table_options own;
    kith_csv_options own_csv;
    kith_run own_run;
    *table = NULL;
    TRY(table_take_options(&own, options, error));
    TRY(OPTIONS_TAKE(kith_csv_options, no_header, &own_csv, own.csv, error));
    TRY(options_take_run(&own_run, run, error));
    source s = {.uri = uri, .options = &own, .csv = own_csv, .run = &own_run};
    s.memory = arena_new();
    s.scratch = arena_new();
    kith_status status = KITH_NOMEM;
    if (s.memory != NULL && s.scratch != NULL)
        s.name = uri_shown(s.scratch, uri);
    if (s.name != NULL)
        status = read(&s, user, table, error);
    else
        error_nomem(error);
    arena_free(s.scratch);
    if (status == KITH_OK) {
        table_return_pages(*table);
    } else {
        arena_free(s.memory);
        *table = NULL;
    }
    return status;
}

/* From the measurements in bench/notes/scale.md and docs/scale.md: a table takes about this many
 * times the size of its file, a packed file is as much smaller, and a cell of a server's table
 * takes as many bytes. */
enum { MEMORY_PER_BYTE = 2, PACKED = 6, MEMORY_PER_CELL = 24 };

static uint64_t times(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/* Of one file that is read as such; `packed` says so of its kind. */
static uint64_t bytes_of(const char *path, bool packed)
{
    struct stat file;
    if (strcmp(path, "-") == 0)
        return UINT64_MAX;
    if (stat(path, &file) != 0)
        return 0;
    if (!S_ISREG(file.st_mode)) /* a pipe */
        return UINT64_MAX;
    packed = packed || text_ends(path, ".gz") || text_ends(path, ".zst");
    return times((uint64_t)file.st_size, MEMORY_PER_BYTE * (packed ? PACKED : 1));
}

/* The files that a URI means; none if it means none that can be read. */
static size_t find_files(const char *const **paths, const char *uri, arena *memory)
{
    const char *table;
    const char **one;
    csv_files files;
    size_t count = 0;
    switch (uri_which(uri)) {
    case URI_CSV:
        if (csv_files_find(&files, memory, uri, NULL) != KITH_OK)
            return 0;
        *paths = files.paths;
        return files.count;
    case URI_PARQUET:
    case URI_JSON: return duck_files_find(paths, &count, memory, uri, NULL) == KITH_OK ? count : 0;
    case URI_SQLITE:
    case URI_DUCKDB:
    case URI_POSTGRES: break;
    }
    one = arena_alloc(memory, sizeof *one);
    if (one == NULL || uri_split(memory, uri, &one[0], &table, NULL) != KITH_OK)
        return 0;
    *paths = one;
    return 1;
}

static uint64_t bytes_of_files(const char *uri, uint64_t enough, arena *memory)
{
    const char *const *paths = NULL;
    const size_t count = find_files(&paths, uri, memory);
    const bool packed = uri_which(uri) == URI_PARQUET || uri_which(uri) == URI_DUCKDB;
    uint64_t all = 0;
    for (size_t i = 0; i < count && all <= enough; i++) {
        const uint64_t one = bytes_of(paths[i], packed);
        all = one < UINT64_MAX - all ? all + one : UINT64_MAX;
    }
    return all;
}

kith_status source_bytes(uint64_t *n_bytes, const char *uri, const kith_table_options *options,
                         uint64_t enough, const kith_run *run, kith_error *error)
{
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    if (uri_which(uri) == URI_POSTGRES) {
        /* The arena closes the connection. */
        postgres *db;
        uint64_t n_rows;
        TRY(postgres_open(&db, memory, uri, run, "load", error));
        const char *select =
            TRY_ALLOC(arena_printf(memory, "SELECT count(*) FROM %s", db->quoted), error);
        TRY(postgres_numbers(&n_rows, 1, db, select, error));
        *n_bytes = times(n_rows, options->n_columns * MEMORY_PER_CELL);
        return KITH_OK;
    }
    *n_bytes = bytes_of_files(uri, enough, memory);
    return KITH_OK;
}
