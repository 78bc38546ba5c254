/* Which files hold the CSV text of a path: the file itself, all that match a pattern of the shell,
 * or the part files of a directory. */
#ifndef TABLE_CSV_CSV_FILES_H
#define TABLE_CSV_CSV_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include <kith/status.h>

#include "core/arena.h"

typedef struct csv_files {
    const char *const *paths; /* in the order of their bytes */
    size_t count;
    bool several; /* a pattern or a directory, even if it has one file only */
} csv_files;

/* Of a directory, the files whose names end in .csv, .csv.gz or .csv.zst; hidden ones do not count.
 * KITH_IO if there is none. A path that is neither a pattern nor a directory is taken as it is. */
kith_status csv_files_find(csv_files *files, arena *memory, const char *path,
                           kith_error *error) KITH_MUST_USE;

/* Is this a pattern (*, ? or […]), and no file of this very name? */
bool csv_files_is_pattern(const char *path);

/* The paths that match a pattern, in the order of their bytes. KITH_IO if there is none. */
kith_status csv_files_match(const char *const **paths, size_t *count, arena *memory,
                            const char *pattern, kith_error *error) KITH_MUST_USE;

#endif
