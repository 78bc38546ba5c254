#include "job/result/path_conflicts.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/arena.h"
#include "core/error.h"
#include "table/uri.h"

bool path_conflicts_is_file(const char *uri)
{
    struct stat status;
    if (strcmp(uri, "-") == 0 || !uri_is_path(uri))
        return false;
    return stat(uri, &status) != 0 || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode);
}

static bool same_inode(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* The directory in which a file would be made. */
static bool stat_directory(const char *path, struct stat *status)
{
    size_t length = (size_t)(base_name(path) - path);
    char *directory = length == 0 ? strdup(".") : strndup(path, length);
    bool found = directory != NULL && stat(directory, status) == 0;
    free(directory);
    return found;
}

static bool same_place(const char *a, const char *b)
{
    /* Standard output may be named twice; a database table may not. */
    if (!path_conflicts_is_file(a) || !path_conflicts_is_file(b))
        return strcmp(a, b) == 0 && !uri_is_path(a);
    /* Compares inodes, since one file may have several paths. Files that do not exist yet are the
     * same if they would have the same name in the same directory. */
    struct stat x, y;
    bool has_a = stat(a, &x) == 0, has_b = stat(b, &y) == 0;
    if (has_a || has_b)
        return has_a && has_b && same_inode(&x, &y);
    return strcmp(base_name(a), base_name(b)) == 0 && stat_directory(a, &x) &&
           stat_directory(b, &y) && same_inode(&x, &y);
}

typedef struct place {
    const char *what, *path; /* path NULL: not used */
} place;

kith_status path_conflicts_check(const char *study_path, const kith_anonymize_options *options,
                                 kith_error *error)
{
    enum { READ = 2, PLACES = 7 };
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    char *companion = NULL;
    const bool to_file = options->output != NULL && path_conflicts_is_file(options->output);
    if (to_file)
        companion = TRY_ALLOC(arena_printf(memory, "%s.meta.json", options->output), error);
    const place list[PLACES] = {{"study", study_path},         {"input", options->input->uri},
                                {"output", options->output},   {"output's companion", companion},
                                {"mapping", options->mapping}, {"lattice", options->lattice},
                                {"summary", options->summary}};
    /* The first `read` places are only read. The others are written: each must differ from all
     * places before it. */
    for (int i = READ; i < PLACES; i++)
        for (int j = 0; j < i && list[i].path != NULL; j++)
            if (list[j].path != NULL && same_place(list[i].path, list[j].path))
                return error_set(error, KITH_INVALID, "the %s %s is the %s itself", list[i].what,
                                 list[i].path, list[j].what);
    return KITH_OK;
}

kith_status path_conflicts_refuse_input(const char *input, const char *directory, const char *name,
                                        kith_error *error)
{
    char path[PATH_MAX];
    struct stat data, other;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    if (input == NULL || stat(input, &data) != 0 || stat(path, &other) != 0 ||
        !same_inode(&data, &other))
        return KITH_OK;
    return error_set(error, KITH_INVALID, "the output %s is the input itself", path);
}

kith_status path_conflicts_refuse_existing(const char *directory, const char *name,
                                           kith_error *error)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return access(path, F_OK) != 0 ? KITH_OK : error_exists(error, path);
}
