/* Files by a pattern of the shell. */
#ifndef TABLE_FILE_MATCH_H
#define TABLE_FILE_MATCH_H

#include <stdbool.h>
#include <stddef.h>

#include <kith/status.h>

#include "core/arena.h"

/* Is this a pattern (*, ? or […]), and no file of this very name? */
bool file_match_is_pattern(const char *path);

/* The paths that match a pattern, in the order of their bytes. KITH_IO if there is none. */
kith_status file_match(const char *const **paths, size_t *count, arena *memory, const char *pattern,
                       kith_error *error) KITH_MUST_USE;

#endif
