/* The page run: one of the runs becomes the release. */
#include "console/pages/pages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "console/pages/run_files.h"
#include "console/server/command.h"
#include "console/server/files.h"
#include "console/server/json.h"
#include "console/server/temporary.h"

typedef struct release_input {
    char directory[RUN_PATH];
    char data[RUN_PATH]; /* "": the release is not compared with it */
    char output[RUN_PATH];
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
    const kith_verify_options options = KITH_OPTIONS(kith_verify_options, .release = c->path,
                                                     .data = in->data[0] == '\0' ? NULL : in->data);
    TRY(kith_verify(&verdict, study, &options, run, error));
    const bool holds = kith_document_flag(verdict, "holds", false);
    kith_status status = json_add_document(result, "verdict", verdict, error);
    kith_document_free(verdict);
    if (status == KITH_OK && !holds)
        status = json_fail(error, KITH_DATA,
                           "%.300s/release.csv: the models of its study do not hold in it: was it "
                           "changed?",
                           in->directory);
    return status;
}

static void add_command(cJSON *result, const release_input *in, const char *study)
{
    char release[RUN_PATH], after[5 * RUN_PATH];
    const char *keep = in->replace ? "" : "-n ";
    run_file(release, in->directory, "release.csv");
    snprintf(after, sizeof after, " && cp %s%s %s && cp %s%s.meta.json %s.meta.json", keep, release,
             in->output, keep, release, in->output);
    command_add(result, (const char *[]){"verify", study, release,
                                         in->data[0] == '\0' ? "" : "--data", in->data, NULL});
    run_command_wrap(result, "", after);
}

/* Names both copies, or neither: a companion that was there before comes back. */
static kith_status place_both(const copy *table, const copy *meta, const release_input *in,
                              kith_error *error)
{
    char companion[RUN_PATH + 16];
    copy before = {"", -1};
    snprintf(companion, sizeof companion, "%s.meta.json", in->output);
    kith_status status = KITH_OK;
    if (in->replace && access(companion, F_OK) == 0)
        status = copy_make(&before, companion, error);
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
    TRY(files_check(output, error));
    TRY(run_file_check(path, directory, "release.csv", error));
    TRY(run_file_json(&meta, directory, "release.csv.meta.json", error));
    snprintf(in->digest, sizeof in->digest, "%s", json_text_or(meta, "digest", ""));
    cJSON_Delete(meta);
    const char *data = json_text_or(body, "data", "");
    if (data[0] != '\0')
        TRY(files_check_data(data, error));
    snprintf(in->directory, sizeof in->directory, "%s", directory);
    snprintf(in->data, sizeof in->data, "%s", data);
    snprintf(in->output, sizeof in->output, "%s", output);
    in->replace = json_flag(body, "replace");
    return KITH_OK;
}

/* {"run", "output", "data"?, "replace"?} starts a job: {"study", "output", "verdict"}. The release
 * of the run is verified again, against the data if it is given, and gets the name `output`. */
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
