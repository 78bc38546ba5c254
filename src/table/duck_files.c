#include "table/duck_files.h"

#include <errno.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"

static void free_glob(void *object)
{
    globfree(object);
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static kith_status absolute(const char **result, arena *memory, const char *path, kith_error *error)
{
    struct stat status;
    if (stat(path, &status) != 0 || access(path, R_OK) != 0)
        return error_errno(error, errno, "read", path);
    if (!S_ISREG(status.st_mode))
        return error_set(error, KITH_INVALID, "%s is not a file", path);
    char *real = realpath(path, NULL);
    if (real == NULL)
        return error_errno(error, errno, "read", path);
    *result = arena_strdup(memory, real);
    free(real);
    return *result == NULL ? error_nomem(error) : KITH_OK;
}

/* glob(3) sorts by the locale. */
static kith_status match(const glob_t **found, arena *memory, const char *pattern,
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
    qsort(matches->gl_pathv, matches->gl_pathc, sizeof *matches->gl_pathv, by_bytes);
    *found = matches;
    return KITH_OK;
}

kith_status duck_files_find(const char *const **paths, size_t *count, arena *memory,
                            const char *path, kith_error *error)
{
    const glob_t *found = NULL;
    if (path[strcspn(path, "*?[")] != '\0' && access(path, F_OK) != 0)
        TRY(match(&found, memory, path, error));
    *count = found != NULL ? found->gl_pathc : 1;
    const char **list = TRY_ALLOC(arena_array(memory, *count, sizeof *list), error);
    for (size_t i = 0; i < *count; i++)
        TRY(absolute(&list[i], memory, found != NULL ? found->gl_pathv[i] : path, error));
    *paths = list;
    return KITH_OK;
}

char *duck_files_escape(arena *memory, const char *path)
{
    char *escaped = arena_alloc(memory, 3 * strlen(path) + 1), *to = escaped;
    for (; to != NULL && *path != '\0'; path++) {
        const bool means_more = strchr("*?[", *path) != NULL;
        if (means_more)
            *to++ = '[';
        *to++ = *path;
        if (means_more)
            *to++ = ']';
    }
    if (to != NULL)
        *to = '\0';
    return escaped;
}

kith_status duck_files_check_database(const char *path, kith_error *error)
{
    enum { MARK_AT = 8 }; /* behind a checksum */
    static const char mark[] = {'D', 'U', 'C', 'K'};
    char head[MARK_AT + sizeof mark];
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return error_errno(error, errno, "read", path);
    const size_t got = fread(head, 1, sizeof head, file);
    const bool failed = ferror(file) != 0;
    const int reason = errno;
    (void)fclose(file);
    if (failed)
        return error_errno(error, reason, "read", path);
    if (got == 0 || (got == sizeof head && memcmp(head + MARK_AT, mark, sizeof mark) == 0))
        return KITH_OK;
    return error_set(error, KITH_DATA, "%s is not a DuckDB database", path);
}
