#include "job/profile/find_hierarchies.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "hierarchy/hierarchy.h"

/* Length of the directory part of a path with its slash; 0 if it has none. */
static int directory_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (int)(slash - path) + 1;
}

/* Length of a file's name without what says that it is CSV or compressed. */
static int stem_length(const char *name)
{
    size_t length = strlen(name);
    static const char *const endings[] = {".csv.gz", ".csv", ".gz", NULL};
    for (const char *const *e = endings; *e != NULL; e++)
        if (length > strlen(*e) && strcmp(name + length - strlen(*e), *e) == 0)
            return (int)(length - strlen(*e));
    return (int)length;
}

/* Does the name end with the column's, behind what stands between a table's name and a column's? */
static bool names_column(const char *file, const char *column_name)
{
    static const char *const marks[] = {"-", "_", "_hierarchy_", NULL};
    size_t length = strlen(file);
    for (const char *const *m = marks; *m != NULL; m++) {
        size_t end = strlen(*m) + strlen(column_name) + 4;
        const char *tail = file + (length > end ? length - end : 0);
        if (length > end && strncmp(tail, *m, strlen(*m)) == 0 &&
            strncmp(tail + strlen(*m), column_name, strlen(column_name)) == 0 &&
            strcmp(tail + end - 4, ".csv") == 0)
            return true;
    }
    return false;
}

/* A file that cannot be used does not fit. It is an error if this machine cannot read it. One that
 * is not UTF-8 is read in the encoding of the data. */
static kith_status holds_all(bool *fits, const char *path, const kith_table *table,
                             uint32_t column_index, kith_error *error)
{
    kith_hierarchy *hierarchy = NULL;
    const kith_hierarchy_options as_data =
        KITH_OPTIONS(kith_hierarchy_options, .encoding = table->encoding);
    kith_status status = kith_hierarchy_read(&hierarchy, path, NULL, NULL, error);
    if (status != KITH_OK && status != KITH_NOMEM && status != KITH_IO && table->encoding != NULL)
        status = kith_hierarchy_read(&hierarchy, path, &as_data, NULL, error);
    if (status == KITH_OK) {
        status = kith_hierarchy_check_values(hierarchy, table, column_index, NULL, error);
        kith_hierarchy_free(hierarchy);
    }
    *fits = status == KITH_OK;
    return status == KITH_NOMEM || status == KITH_IO ? status : KITH_OK;
}

/* Of the files in a directory whose names end with the column's the only one that holds all values:
 * hospital-job.csv for a table of another name. */
static kith_status only_fitting(const char **path, arena *memory, const kith_table *table,
                                uint32_t column_index, DIR *directory, const char *prefix,
                                kith_error *error)
{
    const struct dirent *entry;
    uint32_t n_fitting = 0;
    while ((entry = readdir(directory)) != NULL) {
        bool fits = false;
        if (!names_column(entry->d_name, table->columns[column_index].name))
            continue;
        const char *full = TRY_ALLOC(arena_printf(memory, "%s%s", prefix, entry->d_name), error);
        TRY(holds_all(&fits, full, table, column_index, error));
        if (fits && n_fitting++ == 0)
            *path = full;
    }
    if (n_fitting != 1)
        *path = NULL;
    return KITH_OK;
}

kith_status find_hierarchies_for_column(const char **path, bool *fits, arena *memory,
                                        const kith_table *table, uint32_t column_index,
                                        const char *data_path, kith_error *error)
{
    const char *list[5], *name = table->columns[column_index].name;
    *path = NULL;
    *fits = false;
    /* Names of columns come from the data and must not lead to other directories. */
    if (strchr(name, '/') != NULL || strlen(name) > 200)
        return KITH_OK;
    /* Where hierarchies are found in practice: ARX's examples name them NAME_hierarchy_COLUMN.csv
     * beside the data, `kith generate` puts them into a directory of their own. */
    int dir = directory_length(data_path);
    const char *base = data_path + dir;
    int stem = stem_length(base);
    list[0] = arena_printf(memory, "%.*s%.*s_hierarchy_%s.csv", dir, data_path, stem, base, name);
    list[1] = arena_printf(memory, "%.*shierarchies/%s.csv", dir, data_path, name);
    list[2] = arena_printf(memory, "%.*shierarchies/%.*s_hierarchy_%s.csv", dir, data_path, stem,
                           base, name);
    list[3] = arena_printf(memory, "%.*shierarchies/%.*s-%s.csv", dir, data_path, stem, base, name);
    list[4] = arena_printf(memory, "%.*shierarchies/%.*s_%s.csv", dir, data_path, stem, base, name);
    for (int i = 0; i < 5; i++)
        TRY_ALLOC(list[i], error);
    for (int i = 0; i < 5; i++) {
        if (access(list[i], F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR))
            continue;
        *path = list[i];
        return holds_all(fits, list[i], table, column_index, error);
    }
    const char *prefix = TRY_ALLOC(
        arena_printf(memory, "%.*shierarchies/", directory_length(data_path), data_path), error);
    DIR *directory = opendir(prefix);
    if (directory == NULL && errno != ENOENT && errno != ENOTDIR)
        return error_errno(error, errno, "read", prefix);
    if (directory == NULL)
        return KITH_OK;
    kith_status status = only_fitting(path, memory, table, column_index, directory, prefix, error);
    closedir(directory);
    *fits = status == KITH_OK && *path != NULL;
    return status;
}

kith_status find_hierarchies_relative_path(const char **shown, arena *memory, const char *path,
                                           const char *directory, kith_error *error)
{
    char file[PATH_MAX], base[PATH_MAX + 1];
    if (realpath(path, file) == NULL)
        return error_errno(error, errno, "read", path);
    if (realpath(directory, base) == NULL)
        return error_errno(error, errno, "write to", directory);
    if (strcmp(base, "/") != 0)
        memcpy(base + strlen(base), "/", 2);
    size_t common = 0; /* where both begin to differ, after a slash */
    for (size_t i = 0; base[i] != '\0' && base[i] == file[i]; i++)
        if (base[i] == '/')
            common = i + 1;
    const char *up = "";
    for (const char *c = base + common; *c != '\0'; c++)
        if (*c == '/')
            up = TRY_ALLOC(arena_printf(memory, "../%s", up), error);
    *shown = TRY_ALLOC(arena_printf(memory, "%s%s", up, file + common), error);
    return KITH_OK;
}
