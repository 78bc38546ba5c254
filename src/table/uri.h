/* Taking data URIs apart. */
#ifndef TABLE_URI_H
#define TABLE_URI_H

#include <stdbool.h>

#include <kith/status.h>

#include "core/arena.h"

typedef enum uri_kind {
    URI_CSV,
    URI_SQLITE,
    URI_POSTGRES,
    URI_DUCKDB,
    URI_PARQUET,
    URI_JSON
} uri_kind;

/* By the prefix of a database, or else by the ending of the file's name; a temporary file is of the
 * kind of the file that it is to become. */
uri_kind uri_which(const char *uri);

/* Is it a path, or "-", and no database? */
bool uri_is_path(const char *uri);

/* What may be shown: a path or URI without its password, "standard input" for "-". NULL if out of
 * memory. */
const char *uri_shown(arena *memory, const char *uri);

/* Splits a database URI into the address without our parameter `table` and the decoded table name.
 * "sqlite:" and "duckdb:" are dropped from the address, whose other parameters are refused then. */
kith_status uri_split(arena *memory, const char *uri, const char **address, const char **table,
                      kith_error *error);

/* Takes the parameter `order=COLUMN,…` out of the address of a PostgreSQL table; no columns if it
 * is not there. A comma within a name is written %2C. */
kith_status uri_take_order(arena *memory, const char *uri, const char **rest,
                           const char *const **columns, size_t *n_columns,
                           kith_error *error) KITH_MUST_USE;

#endif
