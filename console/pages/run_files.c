/* Runs below the directory. */
#include "console/pages/run_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <kith/application.h>

#include "console/pages/studies.h"
#include "console/server/files.h"
#include "console/server/json.h"

enum { MAX_NAME = 100, MAX_JSON = 4 << 20 };

static kith_status fail_errno(const char *path, kith_error *error)
{
    return json_fail(error, KITH_IO, "%.300s: %s", path, strerror(errno));
}

kith_status run_name_check(const char *name, kith_error *error)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789._-";
    const size_t length = strlen(name);
    if (length > 0 && length <= MAX_NAME && strspn(name, plain) == length && name[0] != '.' &&
        name[0] != '-')
        return KITH_OK;
    return json_fail(error, KITH_INVALID,
                     "'%.100s' cannot be a name here: expected up to %d letters, digits, '.', '_' "
                     "and '-'",
                     name, MAX_NAME);
}

kith_status run_directory_plan(char path[RUN_PATH], const char *name, kith_error *error)
{
    TRY(run_name_check(name, error));
    TRY(files_check("runs", error));
    if (mkdir("runs", 0777) != 0 && errno != EEXIST)
        return fail_errno("runs", error);
    snprintf(path, RUN_PATH, "runs/%s", name);
    TRY(files_check(path, error));
    if (access(path, F_OK) != 0)
        return KITH_OK;
    return json_fail(error, KITH_INVALID, "%s: there is such a run already", path);
}

kith_status run_directory_make(char path[RUN_PATH], const char *name, kith_error *error)
{
    TRY(run_directory_plan(path, name, error));
    return mkdir(path, 0777) == 0 ? KITH_OK : fail_errno(path, error);
}

void run_file(char path[RUN_PATH], const char *directory, const char *file)
{
    snprintf(path, RUN_PATH, "%s/%s", directory, file);
}

kith_status run_file_check(char path[RUN_PATH], const char *directory, const char *file,
                           kith_error *error)
{
    run_file(path, directory, file);
    return files_check_readable(path, error);
}

bool run_file_exists(const char *directory, const char *file)
{
    char path[RUN_PATH];
    kith_error ignored;
    return run_file_check(path, directory, file, &ignored) == KITH_OK;
}

/* The whole file as a text; free it. */
static kith_status read_text(char **text, size_t *length, const char *path, kith_error *error)
{
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return fail_errno(path, error);
    *text = malloc(MAX_JSON + 1);
    *length = *text == NULL ? 0 : fread(*text, 1, MAX_JSON + 1, file);
    fclose(file);
    if (*text != NULL && *length <= MAX_JSON)
        return KITH_OK;
    free(*text);
    *text = NULL;
    json_fail(error, KITH_INVALID, "%.300s: larger than %d bytes", path, MAX_JSON);
    return KITH_INVALID;
}

kith_status run_json_read(cJSON **object, const char *path, kith_error *error)
{
    char *text = NULL;
    size_t length = 0;
    TRY(files_check_readable(path, error));
    TRY(read_text(&text, &length, path, error));
    kith_status status = json_parse(object, text, length, error);
    free(text);
    return status == KITH_OK ? KITH_OK
                             : json_fail(error, KITH_DATA, "%.300s: not a JSON object", path);
}

kith_status run_file_json(cJSON **object, const char *directory, const char *file,
                          kith_error *error)
{
    char path[RUN_PATH];
    run_file(path, directory, file);
    return run_json_read(object, path, error);
}

kith_status run_document_write(const kith_document *document, const char *directory,
                               const char *file, kith_error *error)
{
    char path[RUN_PATH];
    run_file(path, directory, file);
    char *text = kith_document_json(document, true);
    if (text == NULL)
        return json_fail(error, KITH_NOMEM, "out of memory");
    const kith_status status = kith_file_write_private(path, text, error);
    kith_free(text);
    return status;
}

/* A run whose summary nobody can read, or that is one of something else, is not listed. */
static void list_run(cJSON *list, const cJSON *found)
{
    kith_error ignored;
    cJSON *summary = NULL;
    const char *directory = json_text_or(found, "path", "");
    if (run_file_json(&summary, directory, "summary.json", &ignored) != KITH_OK)
        return;
    cJSON *run =
        cJSON_GetObjectItemCaseSensitive(summary, "records") == NULL ? NULL : cJSON_CreateObject();
    if (run == NULL) {
        cJSON_Delete(summary);
        return;
    }
    cJSON_AddStringToObject(run, "directory", directory);
    cJSON_AddNumberToObject(run, "modified", json_number_or(found, "modified", 0));
    cJSON_AddBoolToObject(run, "report", run_file_exists(directory, "report.html"));
    cJSON_AddBoolToObject(run, "release", run_file_exists(directory, "release.csv"));
    cJSON_AddItemToObject(run, "summary", summary);
    cJSON_AddItemToArray(list, run);
}

kith_status run_files_list(cJSON *list, kith_error *error)
{
    cJSON *files = cJSON_CreateArray();
    if (files == NULL)
        return json_fail(error, KITH_NOMEM, "out of memory");
    const kith_status status = files_list(files, error);
    const cJSON *file;
    cJSON_ArrayForEach(file, files) if (strcmp(json_text_or(file, "kind", ""), "run") == 0)
        list_run(list, file);
    cJSON_Delete(files);
    return status;
}

static bool has_digest(kith_study **study, const char *path, const char *digest)
{
    kith_error ignored;
    char own[65];
    if (studies_open(study, path, NULL, &ignored) != KITH_OK)
        return false;
    kith_study_digest(own, *study);
    if (strcmp(own, digest) == 0)
        return true;
    kith_study_free(*study);
    *study = NULL;
    return false;
}

kith_status run_study_find(kith_study **study, char path[RUN_PATH], const char *digest,
                           kith_error *error)
{
    cJSON *files = cJSON_CreateArray();
    *study = NULL;
    if (files == NULL)
        return json_fail(error, KITH_NOMEM, "out of memory");
    const kith_status status = files_list(files, error);
    const cJSON *file;
    cJSON_ArrayForEach(file, files)
    {
        snprintf(path, RUN_PATH, "%s", json_text_or(file, "path", ""));
        if (strcmp(json_text_or(file, "kind", ""), "study") == 0 && has_digest(study, path, digest))
            break;
    }
    cJSON_Delete(files);
    if (status != KITH_OK || *study != NULL)
        return status;
    return json_fail(error, KITH_INVALID,
                     "no study of this directory has the digest of this run (%.8s…): was it "
                     "changed since?",
                     digest);
}

kith_status run_file_copy(const char *from, const char *to, kith_error *error)
{
    char buffer[65536];
    FILE *in = fopen(from, "re"), *out = in == NULL ? NULL : fopen(to, "we");
    bool good = out != NULL;
    for (size_t length; good && (length = fread(buffer, 1, sizeof buffer, in)) > 0;)
        good = fwrite(buffer, 1, length, out) == length;
    good = good && ferror(in) == 0 && fflush(out) == 0 && fsync(fileno(out)) == 0;
    if (out != NULL && fclose(out) != 0)
        good = false;
    if (in != NULL)
        fclose(in);
    return good ? KITH_OK : fail_errno(in == NULL ? from : to, error);
}
