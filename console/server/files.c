/* Files of the working directory. */
#include "console/server/files.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "console/server/json.h"
#include "console/server/secrets.h"

enum { MAX_LISTED = 2000, MAX_DEPTH = 4, MAX_PATH = 1024 };

static kith_status outside(const char *path, kith_error *error)
{
    return json_fail(error, KITH_INVALID,
                     "%.300s: not a path below the directory that the console works in", path);
}

static bool has_control(const char *text)
{
    for (const char *c = text; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            return true;
    return false;
}

/* Relative, and no component that is empty, hidden, "." or ".."; nothing that a command would take
 * for standard input or an option. */
static bool is_plain(const char *path)
{
    if (path[0] == '\0' || path[0] == '-' || strlen(path) >= MAX_PATH || has_control(path))
        return false;
    for (const char *part = path;; part = strchr(part, '/') + 1) {
        if (part[0] == '/' || part[0] == '.' || part[0] == '\0')
            return false;
        if (strchr(part, '/') == NULL)
            return true;
    }
}

bool files_is_below(const char *path)
{
    char *here = realpath(".", NULL), *there = realpath(path, NULL);
    if (there == NULL && errno == ENOENT) {
        struct stat link;
        char parent[MAX_PATH] = ".";
        const char *slash = strrchr(path, '/');
        if (slash != NULL)
            snprintf(parent, sizeof parent, "%.*s", (int)(slash - path), path);
        if (lstat(path, &link) != 0) /* a link to nothing would be written through */
            there = realpath(parent, NULL);
    }
    const size_t length = here == NULL ? 0 : strlen(here);
    const bool below = there != NULL && length > 0 && strncmp(here, there, length) == 0 &&
                       (there[length] == '/' || there[length] == '\0' || length == 1);
    free(here);
    free(there);
    return below;
}

kith_status files_check(const char *path, kith_error *error)
{
    return is_plain(path) && files_is_below(path) ? KITH_OK : outside(path, error);
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

/* Fails for a file that holds a secret; `why` is the end of the message. */
static kith_status check_no_secret(const char *path, const char *why, kith_error *error)
{
    secrets_named named;
    kith_status status = secrets_collect(&named, error);
    if (status == KITH_OK && secrets_hold(&named, path))
        status = json_fail(error, KITH_INVALID, "%.300s: %s", path, why);
    secrets_wipe(&named);
    return status;
}

kith_status files_check_readable(const char *path, kith_error *error)
{
    struct stat status;
    TRY(files_check(path, error));
    if (stat(path, &status) != 0)
        return json_fail(error, KITH_IO, "%.300s: %s", path, strerror(errno));
    if (!S_ISREG(status.st_mode))
        return json_fail(error, KITH_INVALID, "%.300s: not a file", path);
    return check_no_secret(path, "holds a key or another secret, which the console never shows",
                           error);
}

kith_status files_check_writable(const char *path, const char *ending, kith_error *error)
{
    TRY(files_check(path, error));
    if (!ends_with(path, ending))
        return json_fail(error, KITH_INVALID, "%.300s: expected a name that ends with %s", path,
                         ending);
    return check_no_secret(
        path, "the name of a private key, or holds a secret: the console does not write there",
        error);
}

static bool is_postgres(const char *uri)
{
    return strncmp(uri, "postgresql://", 13) == 0 || strncmp(uri, "postgres://", 11) == 0;
}

/* The file of "sqlite:FILE?table=T" or "duckdb:FILE?table=T"; false if the address is neither. A
 * path that is cut here is still too long for files_check. */
static bool database_file(char path[MAX_PATH + 1], const char *uri)
{
    if (strncmp(uri, "sqlite:", 7) != 0 && strncmp(uri, "duckdb:", 7) != 0)
        return false;
    const char *file = strchr(uri, ':') + 1, *query = strrchr(file, '?');
    snprintf(path, MAX_PATH + 1, "%.*s",
             (int)(query == NULL ? strlen(file) : (size_t)(query - file)), file);
    return true;
}

kith_status files_check_data(const char *uri, kith_error *error)
{
    char path[MAX_PATH + 1];
    if (is_postgres(uri))
        return KITH_OK;
    return files_check_readable(database_file(path, uri) ? path : uri, error);
}

kith_status files_check_database(const char *uri, kith_error *error)
{
    char path[MAX_PATH + 1];
    if (is_postgres(uri))
        return KITH_OK;
    if (database_file(path, uri))
        return files_check_writable(path, "", error);
    return json_fail(error, KITH_INVALID,
                     "%.300s: expected sqlite:FILE?table=NAME or a PostgreSQL address", uri);
}

/* The kinds that a name or the first bytes tell. */
static const char *kind_of(const char *path)
{
    static const char *const endings[][2] = {
        {".study.yaml", "study"}, {".yaml", "study"},     {".yml", "study"},
        {".html", "report"},      {".json", "summary"},   {".db", "sqlite"},
        {".sqlite", "sqlite"},    {".sqlite3", "sqlite"}, {".csv", "data"},
        {".csv.gz", "data"},      {".csv.zst", "data"},   {".parquet", "data"},
        {".ndjson", "data"},      {".tsv", "data"},       {".txt", "other"}};
    if (strstr(path, "hierarchies/") != NULL || strstr(path, "_hierarchy_") != NULL)
        return "hierarchy";
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ends_with(path, endings[i][0]))
            return endings[i][1];
    return "other";
}

static kith_status add_file(cJSON *list, const char *path, const char *kind,
                            const struct stat *status, kith_error *error)
{
    cJSON *item = cJSON_CreateObject();
    if (item == NULL || !cJSON_AddItemToArray(list, item)) {
        cJSON_Delete(item);
        return json_fail(error, KITH_NOMEM, "out of memory");
    }
    cJSON_AddStringToObject(item, "path", path);
    cJSON_AddStringToObject(item, "kind", kind);
    cJSON_AddNumberToObject(item, "bytes", (double)status->st_size);
    cJSON_AddNumberToObject(item, "modified", (double)status->st_mtime);
    return KITH_OK;
}

static kith_status list_directory(cJSON *list, const secrets_named *named, const char *directory,
                                  unsigned depth, kith_error *error);

static kith_status list_entry(cJSON *list, const secrets_named *named, const char *directory,
                              const char *name, unsigned depth, kith_error *error)
{
    char path[MAX_PATH + 512];
    struct stat status;
    const bool top = strcmp(directory, ".") == 0;
    snprintf(path, sizeof path, "%s%s%s", top ? "" : directory, top ? "" : "/", name);
    kith_error ignored;
    if (files_check(path, &ignored) != KITH_OK || stat(path, &status) != 0)
        return KITH_OK;
    if (S_ISREG(status.st_mode))
        return secrets_hold(named, path) ? KITH_OK
                                         : add_file(list, path, kind_of(path), &status, error);
    if (!S_ISDIR(status.st_mode) || depth == MAX_DEPTH)
        return KITH_OK;
    char inside[sizeof path + 16];
    struct stat summary;
    snprintf(inside, sizeof inside, "%s/summary.json", path);
    if (stat(inside, &summary) == 0)
        TRY(add_file(list, path, "run", &summary, error));
    return list_directory(list, named, path, depth + 1, error);
}

static kith_status list_directory(cJSON *list, const secrets_named *named, const char *directory,
                                  unsigned depth, kith_error *error)
{
    struct dirent **entries;
    const int count = scandir(directory, &entries, NULL, alphasort);
    if (count < 0)
        return depth > 0
                   ? KITH_OK /* may not be looked into */
                   : json_fail(error, KITH_IO, "cannot list the directory: %s", strerror(errno));
    kith_status status = KITH_OK;
    for (int i = 0; i < count; i++) {
        if (status == KITH_OK && cJSON_GetArraySize(list) < MAX_LISTED)
            status = list_entry(list, named, directory, entries[i]->d_name, depth, error);
        free(entries[i]);
    }
    free(entries);
    return status;
}

kith_status files_list(cJSON *list, kith_error *error)
{
    secrets_named named;
    kith_status status = secrets_collect(&named, error);
    if (status == KITH_OK)
        status = list_directory(list, &named, ".", 0, error);
    secrets_wipe(&named);
    return status;
}
