/* The page run: anonymize, the board of all runs, and the comparison of two. */
#include "console/pages/pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <kith/tools.h>

#include "console/pages/run_files.h"
#include "console/pages/workspace.h"
#include "console/pages/studies.h"
#include "console/server/command.h"
#include "console/server/files.h"
#include "console/server/json.h"

/* {} to {"runs": […]}. */
static kith_status list_runs(const request *r, cJSON *out, kith_error *error)
{
    (void)r;
    cJSON *list = cJSON_AddArrayToObject(out, "runs");
    return list == NULL ? json_fail(error, KITH_NOMEM, "out of memory")
                        : run_files_list(list, error);
}

#define MAX_SEED (UINT64_C(1) << 53) /* what JSON can say exactly */

typedef struct run_input {
    char study[RUN_PATH];
    char *text; /* of the study with changes that are not saved; NULL: the file */
    source_settings from;
    char directory[RUN_PATH];
    bool seeded;
    uint64_t seed;
} run_input;

typedef struct study_run {
    const run_input *in;
    const kith_study *study;
} study_run;

/* Summary and report, before the release appears. The report is about the data, so it is internal.
 * It is made also if the search was stopped: the run that says so is not handed on. */
static kith_status write_about(void *user, const kith_review *about, kith_error *error)
{
    const study_run *self = user;
    const run_input *in = self->in;
    char page[RUN_PATH];
    run_file(page, in->directory, "report.html");
    TRY(run_document_write(about->summary, in->directory, "summary.json", error));
    const kith_report_options options =
        KITH_OPTIONS(kith_report_options, .summary = about->summary, .internal = true,
                     .study = self->study, .data = KITH_INPUT_TABLE(about->data),
                     .release = KITH_INPUT_TABLE(about->release), .output = page);
    const kith_run settings = KITH_OPTIONS(kith_run, .seeded = in->seeded, .seed = in->seed);
    return kith_report(&options, &settings, error);
}

static void free_run(void *input)
{
    run_input *in = input;
    free(in->text);
    free(in);
}

/* No command runs a study that is in no file. */
static void add_command(cJSON *result, const run_input *in)
{
    if (in->text != NULL)
        return;
    char release[RUN_PATH], summary[RUN_PATH], page[RUN_PATH], mapping[RUN_PATH], seed[32];
    const bool mapped = run_file_exists(in->directory, "mapping.csv");
    run_file(mapping, in->directory, "mapping.csv");
    run_file(release, in->directory, "release.csv");
    run_file(summary, in->directory, "summary.json");
    run_file(page, in->directory, "report.html");
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)in->seed);
    const char *reading[6];
    char separator[2];
    source_settings_words(reading, separator, &in->from);
    const char *words[24] = {"anonymize",
                             in->study,
                             "-i",
                             in->from.uri,
                             "-o",
                             release,
                             "--summary",
                             summary,
                             "--report",
                             page,
                             "--internal",
                             in->seeded ? "--seed" : "",
                             in->seeded ? seed : "",
                             mapped ? "--mapping" : "",
                             mapped ? mapping : ""};
    memcpy(words + 15, reading, sizeof reading);
    command_add(result, words);
    command_before(result, "mkdir", (const char *[]){"-p", in->directory, NULL});
}

static kith_status run_study(const run_input *in, const kith_study *study, const kith_run *run,
                             cJSON *result, kith_error *error)
{
    char release[RUN_PATH], mapping[RUN_PATH];
    kith_document *summary = NULL;
    run_file(release, in->directory, "release.csv");
    run_file(mapping, in->directory, "mapping.csv");
    kith_run settings = *run;
    settings.seeded = in->seeded;
    settings.seed = in->seed;
    const kith_csv_options csv = source_settings_csv(&in->from);
    study_run self = {in, study};
    /* The console has the table in memory anyhow, and a report needs it there. */
    const kith_input input = source_settings_input(&in->from, &csv);
    const kith_anonymize_options options = KITH_OPTIONS(
        kith_anonymize_options, .input = &input, .output = release, .memory_bytes = UINT64_MAX,
        .mapping = mapping, .review = write_about, .review_user = &self);
    TRY(kith_anonymize(&summary, study, &options, &settings, error));
    /* Only models that count persons need it when the release is verified again. */
    if (!kith_document_has(summary, "persons"))
        unlink(mapping);
    const kith_status status = json_add_document(result, "summary", summary, error);
    kith_document_free(summary);
    return status;
}

/* A run without a release leaves nothing behind. */
static void discard_run(const run_input *in)
{
    static const char *const files[] = {"summary.json", "report.html"};
    char path[RUN_PATH];
    if (run_file_exists(in->directory, "release.csv"))
        return;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        run_file(path, in->directory, files[i]);
        unlink(path);
    }
    rmdir(in->directory);
}

static kith_status do_run(job *self, void *input, const kith_run *run, cJSON *result,
                          kith_error *error)
{
    (void)self;
    const run_input *in = input;
    kith_study *study = NULL;
    kith_status status = in->text == NULL ? studies_open(&study, in->study, NULL, error)
                                          : studies_parse(&study, in->text, in->study, NULL, error);
    if (status == KITH_OK)
        status = run_study(in, study, run, result, error);
    kith_study_free(study);
    cJSON_AddStringToObject(result, "directory", in->directory);
    add_command(result, in);
    if (status != KITH_OK)
        discard_run(in);
    return status;
}

static kith_status fill_run(run_input *in, const cJSON *body, kith_error *error)
{
    const char *study, *name;
    TRY(json_need_text(&study, body, "study", error));
    TRY(json_need_text(&name, body, "name", error));
    TRY(files_check_readable(study, error));
    TRY(source_settings_take(&in->from, body, error));
    snprintf(in->study, sizeof in->study, "%s", study);
    const char *text = json_text_or(body, "text", NULL);
    in->text = text == NULL ? NULL : strdup(text);
    if (text != NULL && in->text == NULL)
        return json_fail(error, KITH_NOMEM, "out of memory");
    in->seeded = cJSON_HasObjectItem(body, "seed");
    if (in->seeded)
        TRY(json_need_count(&in->seed, body, "seed", 0, MAX_SEED, error));
    return run_directory_make(in->directory, name, error);
}

/* {"study", "text"?, "name", "seed"?} and how the data is read starts a job: {"directory",
 * "summary"}. The text is the study with changes that are not saved. */
static kith_status start_run(const request *r, cJSON *out, kith_error *error)
{
    run_input *in = calloc(1, sizeof *in);
    if (in == NULL)
        return json_fail(error, KITH_NOMEM, "out of memory");
    const kith_status status = fill_run(in, r->body, error);
    if (status != KITH_OK) {
        free_run(in);
        return status;
    }
    add_command(out, in);
    return jobs_start(r->around->jobs, "run", do_run, in, free_run, out, error);
}

typedef struct pair_input {
    char first[RUN_PATH], second[RUN_PATH];
} pair_input;

static kith_status describe_release(const char *path, const char *name, const kith_run *run,
                                    cJSON *result, kith_error *error)
{
    kith_document *d = NULL;
    TRY(kith_describe(
        &d,
        &(kith_describe_options)KITH_OPTIONS(kith_describe_options, .data = KITH_INPUT_URI(path)),
        run, error));
    const kith_status status = json_add_document(result, name, d, error);
    kith_document_free(d);
    return status;
}

static kith_status do_compare(job *self, void *input, const kith_run *run, cJSON *result,
                              kith_error *error)
{
    (void)self;
    const pair_input *in = input;
    TRY(describe_release(in->first, "first", run, result, error));
    TRY(describe_release(in->second, "second", run, result, error));
    command_add(result, (const char *[]){"describe", in->first, NULL});
    command_after(result, "kith", (const char *[]){"describe", in->second, NULL});
    return KITH_OK;
}

/* {"first", "second"}, directories of runs, starts a job: {"first", "second"}, the descriptions of
 * both releases. */
static kith_status compare_runs(const request *r, cJSON *out, kith_error *error)
{
    const char *first, *second;
    TRY(json_need_text(&first, r->body, "first", error));
    TRY(json_need_text(&second, r->body, "second", error));
    pair_input *in = calloc(1, sizeof *in);
    if (in == NULL)
        return json_fail(error, KITH_NOMEM, "out of memory");
    kith_status status = run_file_check(in->first, first, "release.csv", error);
    if (status == KITH_OK)
        status = run_file_check(in->second, second, "release.csv", error);
    if (status == KITH_OK)
        return jobs_start(r->around->jobs, "compare", do_compare, in, free, out, error);
    free(in);
    return status;
}

const route page_run_routes[] = {{"/api/run/list", 0, list_runs},
                                 {"/api/run/start", 0, start_run},
                                 {"/api/run/compare", 0, compare_runs},
                                 {NULL, 0, NULL}};
