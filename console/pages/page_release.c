/* The page run: one of the runs becomes the release. */
#include "console/pages/pages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "console/pages/run_files.h"
#include "console/pages/workspace.h"
#include "console/server/command.h"
#include "console/server/files.h"
#include "console/server/json.h"
#include "console/server/temporary.h"

typedef struct release_input {
    char directory[RUN_PATH];
    source_settings from; /* the data; uri "": the release is not compared with it */
    char output[RUN_PATH], companion[RUN_PATH + 16];
    char digest[65]; /* of the study, from the release's companion */
    bool replace;
} release_input;

/* The copy of a file in the directory until it gets its name. */
typedef struct copy {
    char path[TEMPORARY_PATH];
    int lock; /* its descriptor: as long as it is open, the copy is not a leftover */
} copy;

static void copy_drop(const copy *c)
{
    unlink(c->path);
    close(c->lock);
}

static kith_status copy_make(copy *c, const char *from, kith_error *error)
{
    c->lock = temporary_open(c->path, true);
    if (c->lock < 0)
        return json_fail(error, KITH_IO, "the directory cannot be written to: %s", strerror(errno));
    const kith_status status = run_file_copy(from, c->path, error);
    if (status != KITH_OK)
        copy_drop(c);
    return status;
}

/* Gives the copy its name, and removes the copy in any case. */
static kith_status copy_place(const copy *c, const char *to, bool replace, kith_error *error)
{
    const bool placed = replace ? rename(c->path, to) == 0 : link(c->path, to) == 0;
    const int why = errno;
    copy_drop(c);
    return placed ? KITH_OK
                  : json_fail(error, KITH_IO, "%.300s: %s", to,
                              why == EEXIST ? "there is such a file already" : strerror(why));
}

static kith_status verify_copy(const copy *c, const release_input *in, const kith_study *study,
                               const kith_run *run, cJSON *result, kith_error *error)
{
    kith_document *verdict = NULL;
    const kith_csv_options csv = source_settings_csv(&in->from);
    const bool with_data = in->from.uri[0] != '\0';
    char mapping[RUN_PATH];
    run_file(mapping, in->directory, "mapping.csv");
    const bool mapped = with_data && run_file_exists(in->directory, "mapping.csv");
    const kith_input data = source_settings_input(&in->from, &csv);
    const kith_verify_options options =
        KITH_OPTIONS(kith_verify_options, .release = KITH_INPUT_URI(c->path), .data = &data,
                     .mapping = KITH_INPUT_URI(mapped ? mapping : NULL));
    TRY(kith_verify(&verdict, study, &options, run, error));
    const bool holds = kith_document_flag(verdict, "holds", false);
    const bool known = holds || !kith_document_flag(verdict, "holds", true);
    kith_status status = json_add_document(result, "verdict", verdict, error);
    kith_document_free(verdict);
    if (status == KITH_OK && !known)
        return json_fail(error, KITH_INVALID,
                         "the models of this study count persons: verify the release against its "
                         "data, with the mapping.csv of a run of this console");
    if (status == KITH_OK && !holds)
        status = json_fail(error, KITH_DATA,
                           "%.300s/release.csv: the models of its study do not hold in it: was it "
                           "changed?",
                           in->directory);
    return status;
}

static void add_command(cJSON *result, const release_input *in, const char *study)
{
    char release[RUN_PATH], companion[RUN_PATH], mapping[RUN_PATH];
    const bool mapped = in->from.uri[0] != '\0' && run_file_exists(in->directory, "mapping.csv");
    const char *keep = in->replace ? "" : "-n";
    run_file(release, in->directory, "release.csv");
    run_file(companion, in->directory, "release.csv.meta.json");
    run_file(mapping, in->directory, "mapping.csv");
    const char *words[16] = {"verify",
                             study,
                             release,
                             in->from.uri[0] == '\0' ? "" : "--data",
                             in->from.uri,
                             mapped ? "--mapping" : "",
                             mapped ? mapping : ""};
    char separator[2];
    source_settings_words(words + 7, separator, &in->from);
    if (in->from.separator != 0)
        words[7] = "--data-separator"; /* the release has one of its own */
    command_add(result, words);
    command_after(result, "cp", (const char *[]){keep, release, in->output, NULL});
    command_after(result, "cp", (const char *[]){keep, companion, in->companion, NULL});
}

static bool is_there(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

/* What a release may replace: an earlier one, which has a companion. Anything else under that name
 * may be somebody's only copy. */
static kith_status check_earlier(const release_input *in, kith_error *error)
{
    cJSON *meta = NULL;
    if (!in->replace || !is_there(in->output))
        return KITH_OK;
    if (!is_there(in->companion))
        return json_fail(error, KITH_INVALID,
                         "%.300s: not a release, which would have %.300s: it is not replaced",
                         in->output, in->companion);
    TRY(run_json_read(&meta, in->companion, error));
    const bool fits = json_text_or(meta, "digest", "")[0] != '\0';
    cJSON_Delete(meta);
    return fits ? KITH_OK
                : json_fail(error, KITH_INVALID, "%.300s: not the companion of a release",
                            in->companion);
}

/* The companion of the release that is replaced. Another program may have put something else there
 * meanwhile, such as a pipe or a link that leads elsewhere. */
static kith_status keep_companion(copy *before, const release_input *in, kith_error *error)
{
    if (!in->replace || !is_there(in->companion))
        return KITH_OK;
    TRY(files_check_readable(in->companion, error));
    return copy_make(before, in->companion, error);
}

/* Names both copies, or neither: a companion that was there before comes back. */
static kith_status place_both(const copy *table, const copy *meta, const release_input *in,
                              kith_error *error)
{
    const char *companion = in->companion;
    copy before = {"", -1};
    kith_status status = keep_companion(&before, in, error);
    if (status == KITH_OK)
        status = copy_place(meta, companion, in->replace, error);
    else
        copy_drop(meta);
    if (status != KITH_OK) {
        copy_drop(table);
    } else if ((status = copy_place(table, in->output, in->replace, error)) != KITH_OK) {
        if (before.lock < 0 || rename(before.path, companion) != 0)
            unlink(companion);
    }
    if (before.lock >= 0)
        copy_drop(&before);
    return status;
}

/* Verifies a copy of the release, then names it, and its companion. */
static kith_status publish(const release_input *in, const kith_study *study, const kith_run *run,
                           cJSON *result, kith_error *error)
{
    char release[RUN_PATH], companion[RUN_PATH];
    copy table = {"", -1}, meta = {"", -1};
    run_file(release, in->directory, "release.csv");
    run_file(companion, in->directory, "release.csv.meta.json");
    TRY(copy_make(&table, release, error));
    kith_status status = verify_copy(&table, in, study, run, result, error);
    if (status == KITH_OK)
        status = copy_make(&meta, companion, error);
    if (status == KITH_OK)
        return place_both(&table, &meta, in, error);
    copy_drop(&table);
    return status;
}

static kith_status do_release(job *self, void *input, const kith_run *run, cJSON *result,
                              kith_error *error)
{
    (void)self;
    const release_input *in = input;
    kith_study *study;
    char path[RUN_PATH];
    TRY(check_earlier(in, error));
    TRY(run_study_find(&study, path, in->digest, error));
    const kith_status status = publish(in, study, run, result, error);
    kith_study_free(study);
    cJSON_AddStringToObject(result, "study", path);
    cJSON_AddStringToObject(result, "output", in->output);
    add_command(result, in, path);
    return status;
}

static kith_status fill(release_input *in, const cJSON *body, kith_error *error)
{
    const char *directory, *output;
    char path[RUN_PATH];
    cJSON *meta = NULL;
    TRY(json_need_text(&directory, body, "run", error));
    TRY(json_need_text(&output, body, "output", error));
    TRY(run_name_check(output, error));
    TRY(files_check_writable(output, ".csv", error));
    TRY(run_file_check(path, directory, "release.csv", error));
    TRY(run_file_json(&meta, directory, "release.csv.meta.json", error));
    snprintf(in->digest, sizeof in->digest, "%s", json_text_or(meta, "digest", ""));
    cJSON_Delete(meta);
    if (json_text_or(body, "data", "")[0] != '\0')
        TRY(source_settings_take(&in->from, body, error));
    snprintf(in->directory, sizeof in->directory, "%s", directory);
    snprintf(in->output, sizeof in->output, "%s", output);
    snprintf(in->companion, sizeof in->companion, "%s.meta.json", output);
    TRY(files_check(in->companion, error));
    in->replace = json_flag(body, "replace");
    return KITH_OK;
}

/* {"run", "output", "data"?, "replace"?} and how the data is read starts a job: {"study", "output",
 * "verdict"}. The release of the run is verified again, against the data if it is given, and gets
 * the name `output`. */
static kith_status make_release(const request *r, cJSON *out, kith_error *error)
{
    release_input *in = calloc(1, sizeof *in);
    if (in == NULL)
        return json_fail(error, KITH_NOMEM, "out of memory");
    const kith_status status = fill(in, r->body, error);
    if (status == KITH_OK)
        return jobs_start(r->around->jobs, "release", do_release, in, free, out, error);
    free(in);
    return status;
}

const route page_release_routes[] = {{"/api/run/release", 0, make_release}, {NULL, 0, NULL}};
