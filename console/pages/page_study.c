/* The page Study: the study as text and as forms. */
#include "console/pages/pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kith/kith.h>
#include <kith/tools.h>

#include "console/pages/studies.h"
#include "console/pages/workspace.h"
#include "console/server/command.h"
#include "console/server/files.h"
#include "console/server/json.h"

typedef struct drafting {
    source_settings from;
    char path[256];
} drafting;

static kith_status draft_work(job *self, void *input, const kith_run *run, cJSON *result,
                              kith_error *error)
{
    (void)self;
    const drafting *d = input;
    const kith_csv_options csv = source_settings_csv(&d->from);
    const kith_input data = source_settings_input(&d->from, &csv);
    const kith_draft_options options =
        KITH_OPTIONS(kith_draft_options, .data = &data, .output = d->path);
    TRY(kith_study_draft(NULL, &options, run, error));
    cJSON_AddStringToObject(result, "path", d->path);
    return KITH_OK;
}

static kith_status take_draft(drafting *d, const cJSON *body, kith_error *error)
{
    const char *path;
    TRY(source_settings_take(&d->from, body, error));
    TRY(json_need_text(&path, body, "path", error));
    TRY(files_check_writable(path, "", error));
    if (snprintf(d->path, sizeof d->path, "%s", path) >= (int)sizeof d->path)
        return json_fail(error, KITH_INVALID, "the name of the study is too long");
    return KITH_OK;
}

/* {"data", "path"} to a job that writes a first study for the data: {"path"}. */
static kith_status draft(const request *r, cJSON *out, kith_error *error)
{
    drafting *d = calloc(1, sizeof *d);
    if (d == NULL)
        return json_fail(error, KITH_NOMEM, "out of memory");
    const kith_status status = take_draft(d, r->body, error);
    if (status != KITH_OK) {
        free(d);
        return status;
    }
    const char *words[12] = {"study", "init", d->from.uri, "-o", d->path};
    char separator[2];
    source_settings_words(words + 5, separator, &d->from);
    command_add(out, words);
    return jobs_start(r->around->jobs, "drafting", draft_work, d, free, out, error);
}

static kith_status need_study(const char **text, const char **path, const cJSON *body,
                              kith_error *error)
{
    TRY(json_need_text(text, body, "text", error));
    TRY(json_need_text(path, body, "path", error));
    return files_check(*path, error);
}

/* What is wrong with a text is a finding and no failure of the request. */
static kith_status check_text(const char *text, const char *path, kith_findings *findings,
                              cJSON *out, kith_error *error)
{
    kith_study *study = NULL;
    kith_document *outline = NULL;
    const kith_status status = studies_parse(&study, text, path, findings, error);
    if (status != KITH_OK && kith_findings_n_problems(findings) == 0)
        return status;
    TRY(json_add_findings(out, findings, error));
    if (status == KITH_OK) {
        char digest[65];
        kith_study_digest(digest, study);
        cJSON_AddStringToObject(out, "digest", digest);
        kith_study_free(study);
    }
    if (kith_study_outline(&outline, text, strlen(text), error) != KITH_OK)
        return KITH_OK; /* the findings say why */
    const kith_status added = json_add_document(out, "outline", outline, error);
    kith_document_free(outline);
    return added;
}

/* {"text", "path"} to {"findings", "outline", "digest"}; no outline if it is no YAML, no digest if
 * anything is wrong. */
static kith_status check(const request *r, cJSON *out, kith_error *error)
{
    const char *text, *path;
    TRY(need_study(&text, &path, r->body, error));
    kith_findings *findings = kith_findings_new();
    if (findings == NULL)
        return json_fail(error, KITH_NOMEM, "out of memory");
    const kith_status status = check_text(text, path, findings, out, error);
    kith_findings_free(findings);
    command_add(out, (const char *[]){"study", "check", path, NULL});
    return status;
}

typedef struct checking {
    workspace *space;
    source_settings from;
    char *text;
    char path[256];
} checking;

static void free_checking(void *input)
{
    checking *c = input;
    free(c->text);
    free(c);
}

static kith_status check_with(const checking *c, const kith_study *study, kith_findings *findings,
                              const kith_run *run, kith_error *error)
{
    dataset *d;
    TRY(workspace_open(&d, c->space, &c->from, run, error));
    const kith_check_options options =
        KITH_OPTIONS(kith_check_options, .data = KITH_INPUT_TABLE(d->table));
    const kith_status status = kith_study_check(study, &options, run, findings, error);
    workspace_release(c->space, d);
    return status;
}

static kith_status check_data_work(job *self, void *input, const kith_run *run, cJSON *result,
                                   kith_error *error)
{
    (void)self;
    const checking *c = input;
    kith_study *study = NULL;
    kith_findings *findings = kith_findings_new();
    kith_status status = findings == NULL
                             ? json_fail(error, KITH_NOMEM, "out of memory")
                             : studies_parse(&study, c->text, c->path, findings, error);
    if (status == KITH_OK)
        status = check_with(c, study, findings, run, error);
    if (findings != NULL && kith_findings_n_problems(findings) > 0)
        status = KITH_OK;
    if (status == KITH_OK)
        status = json_add_findings(result, findings, error);
    kith_study_free(study);
    kith_findings_free(findings);
    return status;
}

static kith_status take_checking(checking *c, const cJSON *body, kith_error *error)
{
    const char *text, *path;
    TRY(need_study(&text, &path, body, error));
    TRY(source_settings_take(&c->from, body, error));
    if (snprintf(c->path, sizeof c->path, "%s", path) >= (int)sizeof c->path)
        return json_fail(error, KITH_INVALID, "the name of the study is too long");
    c->text = strdup(text);
    return c->text == NULL ? json_fail(error, KITH_NOMEM, "out of memory") : KITH_OK;
}

/* {"text", "path", "data", …} to a job with {"findings"}, also about the data. */
static kith_status check_data(const request *r, cJSON *out, kith_error *error)
{
    checking *c = calloc(1, sizeof *c);
    if (c == NULL)
        return json_fail(error, KITH_NOMEM, "out of memory");
    c->space = r->around->workspace;
    const kith_status status = take_checking(c, r->body, error);
    if (status != KITH_OK) {
        free_checking(c);
        return status;
    }
    const char *words[10] = {"study", "check", c->path, c->from.uri};
    char separator[2];
    source_settings_words(words + 4, separator, &c->from);
    command_add(out, words);
    return jobs_start(r->around->jobs, "checking", check_data_work, c, free_checking, out, error);
}

/* {"text", "key", "yaml"} to {"text"} with one value set; without "yaml" it is removed. */
static kith_status edit(const request *r, cJSON *out, kith_error *error)
{
    const char *text, *key;
    char *changed;
    TRY(json_need_text(&text, r->body, "text", error));
    TRY(json_need_text(&key, r->body, "key", error));
    TRY(kith_study_edit(&changed, text, key, json_text_or(r->body, "yaml", NULL), error));
    cJSON_AddStringToObject(out, "text", changed);
    kith_free(changed);
    return KITH_OK;
}

/* {"text", "path", "version"} to {"version"}: writes the file, complete or not at all, in place of
 * the one that was opened. */
static kith_status save(const request *r, cJSON *out, kith_error *error)
{
    const char *text, *path;
    TRY(need_study(&text, &path, r->body, error));
    const char *dot = strrchr(path, '.');
    if (dot == NULL || (strcmp(dot, ".yaml") != 0 && strcmp(dot, ".yml") != 0))
        return json_fail(error, KITH_INVALID, "%.300s: a study ends with .yaml", path);
    TRY(files_check_writable(path, "", error));
    command_add(out, (const char *[]){"study", "check", path, NULL});
    return studies_write(path, text, r->body, out, error);
}

const route page_study_routes[] = {{"/api/study/draft", 0, draft},
                                   {"/api/study/open", 0, studies_show},
                                   {"/api/study/check", 0, check},
                                   {"/api/study/check-data", 0, check_data},
                                   {"/api/study/edit", 0, edit},
                                   {"/api/study/save", 0, save},
                                   {NULL, 0, NULL}};
