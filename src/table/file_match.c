#include "table/file_match.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/sort.h"

static void free_glob(void *object)
{
    globfree(object);
}

bool file_match_is_pattern(const char *path)
{
    return path[strcspn(path, "*?[")] != '\0' && access(path, F_OK) != 0;
}

/* glob(3) would sort by the locale. */
kith_status file_match(const char *const **paths, size_t *count, arena *memory, const char *pattern,
                       kith_error *error)
{
    glob_t *matches = TRY_ALLOC(arena_zalloc(memory, 1, sizeof *matches), error);
    if (!arena_defer(memory, free_glob, matches))
        return error_nomem(error);
    const int code = glob(pattern, GLOB_NOSORT, NULL, matches);
    if (code == GLOB_NOSPACE)
        return error_nomem(error);
    if (code != 0 || matches->gl_pathc == 0)
        return error_set(error, KITH_IO, "no file matches %s", pattern);
    qsort(matches->gl_pathv, matches->gl_pathc, sizeof *matches->gl_pathv, sort_text);
    *paths = (const char *const *)matches->gl_pathv;
    *count = matches->gl_pathc;
    return KITH_OK;
}
