/* Files of the working directory, the only ones that the console touches. */
#ifndef CONSOLE_SERVER_FILES_H
#define CONSOLE_SERVER_FILES_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include <kith/status.h>

/* Fails unless the path is relative, has no component that is empty, hidden or "..", and leads,
 * also through symbolic links, to a place below the working directory. The file need not exist, its
 * directory must. */
kith_status files_check(const char *path, kith_error *error);

/* The same, and the file exists and holds no secret (secrets.h): contents may go to the page. */
kith_status files_check_readable(const char *path, kith_error *error);

/* A path that the console may write to: it ends with `ending`, which may be "", and neither has the
 * name of a key nor holds a secret. */
kith_status files_check_writable(const char *path, const char *ending, kith_error *error);

/* Whether the file is, or would be, below the working directory when all links are followed. */
bool files_is_below(const char *path);

/* A data URI: a path, "sqlite:FILE?table=T" or "duckdb:FILE?table=T" with a file below the
 * directory, or a PostgreSQL address (a network address, and no file). */
kith_status files_check_data(const char *uri, kith_error *error);

/* A table of a database that may be written: as above with a file that need not exist, or a
 * PostgreSQL address. */
kith_status files_check_database(const char *uri, kith_error *error);

/* Adds what the directory holds to the array: {"path", "kind", "bytes", "modified"}, in order of
 * paths, without hidden and secret files; kinds are "data", "sqlite", "study", "hierarchy",
 * "report", "summary", "run" (a directory of results) and "other". At most 2,000. */
kith_status files_list(cJSON *list, kith_error *error);

#endif
