#include "table/source_bytes.h"

#include <string.h>
#include <sys/stat.h>

#include "core/error.h"
#include "core/text.h"
#include "table/csv_files.h"
#include "table/duck_files.h"
#include "table/postgres.h"
#include "table/uri.h"

/* From the measurements in docs/benchmarks.md and docs/scale.md: a table takes about this many
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

/* The arena closes the connection. */
static kith_status ask_server(uint64_t *n_bytes, const char *uri, size_t n_columns,
                              const kith_run *run, arena *memory, kith_error *error)
{
    postgres *db;
    uint64_t n_rows;
    TRY(postgres_open(&db, memory, uri, run, "load", error));
    const char *select =
        TRY_ALLOC(arena_printf(memory, "SELECT count(*) FROM %s", db->quoted), error);
    TRY(postgres_numbers(&n_rows, 1, db, select, error));
    *n_bytes = times(n_rows, n_columns * MEMORY_PER_CELL);
    return KITH_OK;
}

kith_status source_bytes(uint64_t *n_bytes, const char *uri, const kith_table_options *options,
                         uint64_t enough, const kith_run *run, kith_error *error)
{
    kith_status status = KITH_OK;
    arena *memory = TRY_ALLOC(arena_new(), error);
    if (uri_which(uri) == URI_POSTGRES)
        status = ask_server(n_bytes, uri, options->n_columns, run, memory, error);
    else
        *n_bytes = bytes_of_files(uri, enough, memory);
    arena_free(memory);
    return status;
}
