#include "table/csv/csv_files.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/sort.h"

static void free_glob(void *object)
{
    globfree(object);
}

bool csv_files_is_pattern(const char *path)
{
    return path[strcspn(path, "*?[")] != '\0' && access(path, F_OK) != 0;
}

/* glob(3) would sort by the locale. */
kith_status csv_files_match(const char *const **paths, size_t *count, arena *memory,
                            const char *pattern, kith_error *error)
{
    glob_t *matches = TRY_ZEROS(matches, memory, 1, error);
    TRY_ALLOC(arena_defer(memory, free_glob, matches), error);
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

static bool is_part(const char *name)
{
    static const char *const endings[] = {".csv", ".csv.gz", ".csv.zst"};
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t tail = strlen(endings[i]);
        if (name[0] != '.' && length > tail && strcasecmp(name + length - tail, endings[i]) == 0)
            return true;
    }
    return false;
}

/* Appends the paths of the parts. */
static kith_status take_parts(csv_files *files, arena *memory, DIR *directory, const char *path,
                              kith_error *error)
{
    const char **paths = NULL, *slash = path[strlen(path) - 1] == '/' ? "" : "/";
    size_t room = 0, count = 0;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (!is_part(entry->d_name))
            continue;
        TRY_GROW(paths, room, count + 1, memory, error);
        paths[count++] =
            TRY_ALLOC(arena_printf(memory, "%s%s%s", path, slash, entry->d_name), error);
    }
    if (count == 0) {
        error_set(error, KITH_IO, "cannot read %s: it is a directory without .csv files", path);
        return error_hint(error, KITH_IO,
                          "other files are named by a pattern: 'DIRECTORY/*.parquet'");
    }
    qsort(paths, count, sizeof *paths, sort_text);
    files->paths = paths;
    files->count = count;
    return KITH_OK;
}

kith_status csv_files_find(csv_files *files, arena *memory, const char *path, kith_error *error)
{
    struct stat status;
    *files = (csv_files){.several = true};
    if (csv_files_is_pattern(path))
        return csv_files_match(&files->paths, &files->count, memory, path, error);
    if (strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        DIR *directory = opendir(path);
        if (directory == NULL)
            return error_errno(error, errno, "read", path);
        const kith_status found = take_parts(files, memory, directory, path, error);
        closedir(directory);
        return found;
    }
    const char **paths = TRY_ALLOC(arena_alloc(memory, sizeof *paths), error);
    paths[0] = TRY_ALLOC(arena_strdup(memory, path), error);
    *files = (csv_files){.paths = paths, .count = 1};
    return KITH_OK;
}
