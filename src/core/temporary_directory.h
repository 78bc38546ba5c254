/* A private directory that lives as long as an arena. */
#ifndef CORE_TEMPORARY_DIRECTORY_H
#define CORE_TEMPORARY_DIRECTORY_H

#include <kith/status.h>

#include "core/arena.h"

/* Makes a directory beside `path` (NULL: out of memory), with a name of its own
 * (temporary_file.h); what killed runs have left there is removed. *made is absolute. The directory
 * is removed with all that is in it when the arena is freed, unless it has been renamed. */
kith_status temporary_directory_make(const char **made, arena *memory, const char *path,
                                     kith_error *error) KITH_MUST_USE;

#endif
