/* Which files a path with wildcards means. */
#ifndef TABLE_ARROW_DUCK_FILES_H
#define TABLE_ARROW_DUCK_FILES_H

#include <stddef.h>

#include <kith/status.h>

#include "core/arena.h"

/* The absolute paths of the files that can be read at `path`: one that is there under this very
 * name, or all that match it as a shell's pattern (*, ? and […]), in the order of their bytes.
 * KITH_IO if there is none, or if one cannot be read. */
kith_status duck_files_find(const char *const **paths, size_t *count, arena *memory,
                            const char *path, kith_error *error) KITH_MUST_USE;

/* A path as DuckDB reads it: it would take *, ? and [ of a file's name for a pattern, and read what
 * else matches. NULL if out of memory. */
char *duck_files_escape(arena *memory, const char *path);

/* KITH_DATA if the file is no database of DuckDB, and not empty either; KITH_IO if it cannot be
 * read. DuckDB itself would take some files for what they are not. */
kith_status duck_files_check_database(const char *path, kith_error *error) KITH_MUST_USE;

#endif
