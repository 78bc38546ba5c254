#include "table/arrow/duck_files.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "table/csv/csv_files.h"

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

kith_status duck_files_find(const char *const **paths, size_t *count, arena *memory,
                            const char *path, kith_error *error)
{
    const char *const *found = &path;
    *count = 1;
    if (csv_files_is_pattern(path))
        TRY(csv_files_match(&found, count, memory, path, error));
    const char **list = TRY_ARRAY(list, memory, *count, error);
    for (size_t i = 0; i < *count; i++)
        TRY(absolute(&list[i], memory, found[i], error));
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
