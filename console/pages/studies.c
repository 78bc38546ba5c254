/* Studies of the directory. */
#include "console/pages/studies.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sodium.h>

#include <kith/application.h>

#include "console/server/files.h"
#include "console/server/json.h"

enum { MAX_TEXT = 1 << 20, VERSION = 65 };

static bool may_read(void *user, const char *path)
{
    (void)user;
    kith_error ignored;
    return files_check_readable(path, &ignored) == KITH_OK;
}

kith_status studies_text(char **text, const char *path, kith_error *error)
{
    TRY(files_check_readable(path, error));
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return json_fail(error, KITH_IO, "%.300s: %s", path, strerror(errno));
    *text = malloc(MAX_TEXT + 1);
    const size_t length = *text == NULL ? 0 : fread(*text, 1, MAX_TEXT + 1, file);
    const bool failed = ferror(file) != 0;
    fclose(file);
    if (*text == NULL)
        return json_fail(error, KITH_NOMEM, "out of memory");
    if (!failed && length <= MAX_TEXT && memchr(*text, '\0', length) == NULL) {
        (*text)[length] = '\0';
        return KITH_OK;
    }
    free(*text);
    *text = NULL;
    return json_fail(error, KITH_DATA, "%.300s: %s", path,
                     failed ? "cannot be read" : "not a text of at most 1 MiB");
}

/* What stands for such a text, as hexadecimal digits and NUL: another for another text. */
static void version_of(char version[VERSION], const char *text)
{
    unsigned char hash[crypto_generichash_BYTES];
    crypto_generichash(hash, sizeof hash, (const unsigned char *)text, strlen(text), NULL, 0);
    sodium_bin2hex(version, VERSION, hash, sizeof hash);
}

static void add_version(cJSON *out, const char *text)
{
    char version[VERSION];
    version_of(version, text);
    cJSON_AddStringToObject(out, "version", version);
}

kith_status studies_show(const request *r, cJSON *out, kith_error *error)
{
    const char *path;
    char *text = NULL;
    TRY(json_need_text(&path, r->body, "path", error));
    const kith_status status = studies_text(&text, path, error);
    if (text != NULL) {
        cJSON_AddStringToObject(out, "text", text);
        add_version(out, text);
    }
    free(text);
    return status;
}

static kith_status check_version(const char *path, const char *expected, kith_error *error)
{
    char *text = NULL, version[VERSION];
    if (access(path, F_OK) != 0)
        return KITH_OK;
    const kith_status status = studies_text(&text, path, error);
    if (text == NULL)
        return status;
    version_of(version, text);
    free(text);
    if (strcmp(version, expected) == 0)
        return KITH_OK;
    return json_fail(error, KITH_INVALID, "%.300s: %s: it is not replaced", path,
                     expected[0] == '\0' ? "was not opened on this page"
                                         : "has changed since it was opened");
}

kith_status studies_write(const char *path, const char *text, const cJSON *body, cJSON *out,
                          kith_error *error)
{
    char *written = NULL; /* a last line without an end gets one */
    TRY(check_version(path, json_text_or(body, "version", ""), error));
    TRY(kith_file_write(path, text, error));
    const kith_status status = studies_text(&written, path, error);
    if (written != NULL)
        add_version(out, written);
    free(written);
    return status;
}

/* Messages about a text call it so; people know the file. */
static void name_file(kith_error *error, const char *path)
{
    static const char unnamed[] = "<memory>";
    char message[sizeof error->message];
    if (strncmp(error->message, unnamed, sizeof unnamed - 1) != 0)
        return;
    snprintf(message, sizeof message, "%s", error->message + sizeof unnamed - 1);
    snprintf(error->message, sizeof error->message, "%.300s%.700s", path, message);
}

kith_status studies_parse(kith_study **study, const char *text, const char *path,
                          kith_findings *findings, kith_error *error)
{
    const char *slash = strrchr(path, '/');
    char *directory = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path));
    if (directory == NULL)
        return json_fail(error, KITH_NOMEM, "out of memory");
    const kith_status status = kith_study_parse_guarded(study, text, strlen(text), directory,
                                                        may_read, NULL, findings, error);
    free(directory);
    if (status != KITH_OK)
        name_file(error, path);
    return status;
}

kith_status studies_open(kith_study **study, const char *path, kith_findings *findings,
                         kith_error *error)
{
    char *text = NULL;
    kith_status status = studies_text(&text, path, error);
    if (text == NULL)
        return status;
    status = studies_parse(study, text, path, findings, error);
    free(text);
    return status;
}
