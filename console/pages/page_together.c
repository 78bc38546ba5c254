/* The page together: own key, keys of the others, the joint study. page_party.c runs it. */
#include "console/pages/pages.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kith/joint.h>
#include <kith/tools.h>

#include "console/pages/run_files.h"
#include "console/pages/studies.h"
#include "console/server/command.h"
#include "console/server/files.h"
#include "console/server/json.h"

enum { DAYS = 365, MAX_PARTIES = 128 };

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), wanted = strlen(end);
    return length > wanted && strcmp(text + length - wanted, end) == 0;
}

/* Adds {"file", …} of a key: what everybody may know of it. A file that is no key is left out. */
static void add_key(cJSON *list, const char *path)
{
    kith_document *d = NULL;
    kith_error ignored;
    if (kith_identity_describe(&d, path, &ignored) != KITH_OK)
        return;
    cJSON *one = cJSON_CreateObject();
    if (one != NULL && json_add_document(one, "identity", d, &ignored) == KITH_OK) {
        cJSON_AddStringToObject(one, "file", path);
        cJSON_AddItemToArray(list, one);
    } else {
        cJSON_Delete(one);
    }
    kith_document_free(d);
}

/* The party of a file that another party sent, read as joining it would. A file with several is
 * refused: people compare one key with each file that they were given. */
static kith_status read_party(kith_document **file, const char *path, kith_error *error)
{
    TRY(files_check_readable(path, error));
    TRY(kith_parties_describe(file, path, error));
    const size_t count = kith_document_n_items(*file, "parties");
    if (count == 1)
        return KITH_OK;
    kith_document_free(*file);
    *file = NULL;
    return json_fail(error, KITH_INVALID, "%.300s: expected one party, found %zu", path, count);
}

/* Adds {"file", "name", "address", "key", "grouped", "words"}, or {"file", "problem"}. */
static void add_party(cJSON *list, const char *path)
{
    static const char *const members[] = {"name", "address", "key", "grouped", "words"};
    kith_document *file = NULL;
    kith_error error = {0};
    cJSON *one = cJSON_CreateObject();
    cJSON_AddStringToObject(one, "file", path);
    if (read_party(&file, path, &error) != KITH_OK)
        cJSON_AddStringToObject(one, "problem", error.message);
    for (size_t i = 0; file != NULL && i < sizeof members / sizeof *members; i++) {
        char at[32];
        snprintf(at, sizeof at, "parties.0.%s", members[i]);
        cJSON_AddStringToObject(one, members[i], kith_document_text(file, at, ""));
    }
    kith_document_free(file);
    cJSON_AddItemToArray(list, one);
}

/* {} to {"keys": […], "parties": […]}: of this directory, not of those below it. */
static kith_status list_keys(const request *r, cJSON *out, kith_error *error)
{
    (void)r;
    cJSON *keys = cJSON_AddArrayToObject(out, "keys"),
          *parties = cJSON_AddArrayToObject(out, "parties");
    struct dirent **entries;
    const int count = scandir(".", &entries, NULL, alphasort);
    if (keys == NULL || parties == NULL || count < 0)
        return json_fail(error, KITH_IO, "cannot list the directory");
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        if (name[0] != '.' && ends_with(name, ".key") && files_check(name, error) == KITH_OK)
            add_key(keys, name);
        else if (name[0] != '.' && ends_with(name, ".party"))
            add_party(parties, name);
        free(entries[i]);
    }
    free(entries);
    return KITH_OK;
}

/* {"name", "address"} makes NAME.key, which stays here, and NAME.party for the others: to {"key",
 * "party", "identity"}. */
static kith_status make_key(const request *r, cJSON *out, kith_error *error)
{
    const char *name, *address;
    char key[RUN_PATH], party[RUN_PATH];
    char *text = NULL;
    TRY(json_need_text(&name, r->body, "name", error));
    TRY(json_need_text(&address, r->body, "address", error));
    TRY(run_name_check(name, error));
    snprintf(key, sizeof key, "%s.key", name);
    snprintf(party, sizeof party, "%s.party", name);
    TRY(files_check(key, error));
    TRY(files_check(party, error));
    TRY(kith_identity_create(
        key,
        &(kith_identity_options)KITH_OPTIONS(kith_identity_options, .name = name, .n_days = DAYS),
        error));
    TRY(kith_identity_party(&text, key, address, error));
    const kith_status status = kith_file_write(party, text, error);
    kith_free(text);
    cJSON_AddStringToObject(out, "key", key);
    cJSON_AddStringToObject(out, "party", party);
    command_add(out, (const char *[]){"cert", "init", name, "-o", key, "--address", address,
                                      "--party", party, NULL});
    return status;
}

/* A study that names files outside of the directory is not read any further. */
static kith_status check_base(const char *path, kith_error *error)
{
    kith_study *study = NULL;
    TRY(files_check_readable(path, error));
    TRY(studies_open(&study, path, NULL, error));
    kith_study_free(study);
    return KITH_OK;
}

/* {"base", "parties": [files], "output"} writes a study with parties: to {"study"}. */
static kith_status join_parties(const request *r, cJSON *out, kith_error *error)
{
    const char *base, *output, *files[MAX_PARTIES], *words[MAX_PARTIES + 6];
    size_t n_files = 0, n_words = 0;
    const cJSON *file;
    TRY(json_need_text(&base, r->body, "base", error));
    TRY(json_need_text(&output, r->body, "output", error));
    TRY(check_base(base, error));
    TRY(files_check_writable(output, "", error));
    words[n_words++] = "study";
    words[n_words++] = "join";
    words[n_words++] = base;
    cJSON_ArrayForEach(file, cJSON_GetObjectItemCaseSensitive(r->body, "parties"))
    {
        if (!cJSON_IsString(file) || n_files == MAX_PARTIES)
            return json_fail(error, KITH_INVALID, "expected names of at most %d files",
                             MAX_PARTIES);
        kith_document *party = NULL;
        TRY(read_party(&party, file->valuestring, error));
        kith_document_free(party);
        words[n_words++] = files[n_files++] = file->valuestring;
    }
    words[n_words++] = "-o";
    words[n_words++] = output;
    words[n_words] = NULL;
    const kith_join_options options = KITH_OPTIONS(
        kith_join_options, .base = base, .parties = files, .n_parties = n_files, .output = output);
    TRY(kith_study_join(NULL, &options, NULL, error));
    cJSON_AddStringToObject(out, "study", output);
    command_add(out, words);
    return KITH_OK;
}

/* Adds "study" and, for a key, "findings" about runs before. */
static kith_status describe_study(const kith_study *study, const char *key, cJSON *out,
                                  kith_error *error)
{
    kith_document *d = NULL;
    TRY(kith_joint_describe(&d, study, error));
    kith_status status = json_add_document(out, "study", d, error);
    kith_document_free(d);
    if (status != KITH_OK || key[0] == '\0')
        return status;
    kith_findings *findings = kith_findings_new();
    if (findings == NULL)
        return json_fail(error, KITH_NOMEM, "out of memory");
    status = kith_party_earlier_runs(findings, study, key, error);
    if (status == KITH_OK)
        status = json_add_findings(out, findings, error);
    kith_findings_free(findings);
    return status;
}

/* {"study", "key"?} to what the parties agree to: {"study", "findings"}. No data is read. */
static kith_status show_study(const request *r, cJSON *out, kith_error *error)
{
    const char *path, *key = json_text_or(r->body, "key", "");
    kith_study *study = NULL;
    TRY(json_need_text(&path, r->body, "study", error));
    TRY(files_check_readable(path, error));
    if (key[0] != '\0')
        TRY(files_check(key, error));
    TRY(studies_open(&study, path, NULL, error));
    const kith_status status = describe_study(study, key, out, error);
    kith_study_free(study);
    command_add(out, (const char *[]){"study", "digest", path, NULL});
    return status;
}

const route page_together_routes[] = {{"/api/together/keys", 0, list_keys},
                                      {"/api/together/key", 0, make_key},
                                      {"/api/together/join", 0, join_parties},
                                      {"/api/together/study", 0, show_study},
                                      {NULL, 0, NULL}};
