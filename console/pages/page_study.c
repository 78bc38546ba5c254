/* The page Study: the study as text and as forms. */
#include "console/pages/pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kith/kith.h>

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
    const kith_draft_options options =
        KITH_OPTIONS(kith_draft_options, .data = d->from.uri, .output = d->path,
                     .separator = d->from.separator, .csv = &csv);
    TRY(kith_study_draft(NULL, &options, run, error));
    cJSON_AddStringToObject(result, "path", d->path);
    return KITH_OK;
}

static kith_status take_draft(drafting *d, const cJSON *body, kith_error *error)
{
    const char *path;
    TRY(source_settings_take(&d->from, body, error));
    TRY(json_need_text(&path, body, "path", error));
    TRY(files_check(path, error));
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

const route page_study_routes[] = {{"/api/study/draft", 0, draft}, {NULL, 0, NULL}};
