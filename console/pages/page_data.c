/* The page Data: tables and their columns. */
#include "console/pages/pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kith/kith.h>
#include <kith/tools.h>

#include "console/pages/workspace.h"
#include "console/server/command.h"
#include "console/server/files.h"
#include "console/server/json.h"

enum { SHOWN_ROWS = 8, MAX_MADE_ROWS = 100000000 };

typedef struct opening {
    workspace *space;
    source_settings from;
} opening;

/* The first records, as they stand in the table. */
static kith_status add_rows(cJSON *result, const kith_table *table, kith_error *error)
{
    cJSON *rows = cJSON_AddArrayToObject(result, "rows");
    const size_t n_rows = kith_table_n_rows(table);
    for (size_t r = 0; r < n_rows && r < SHOWN_ROWS; r++) {
        cJSON *row = cJSON_CreateArray();
        if (row == NULL || !cJSON_AddItemToArray(rows, row)) {
            cJSON_Delete(row);
            return json_fail(error, KITH_NOMEM, "out of memory");
        }
        for (size_t c = 0; c < kith_table_n_columns(table); c++) {
            const char *cell = kith_table_cell(table, r, c);
            cJSON_AddItemToArray(row, cell == NULL ? cJSON_CreateNull() : cJSON_CreateString(cell));
        }
    }
    return KITH_OK;
}

static kith_status fill(cJSON *result, const dataset *d, kith_error *error)
{
    TRY(json_add_document(result, "description", d->description, error));
    cJSON *pictures = cJSON_Duplicate(d->pictures, true);
    if (pictures == NULL || !cJSON_AddItemToObject(result, "pictures", pictures)) {
        cJSON_Delete(pictures);
        return json_fail(error, KITH_NOMEM, "out of memory");
    }
    return add_rows(result, d->table, error);
}

static kith_status open_work(job *self, void *input, const kith_run *run, cJSON *result,
                             kith_error *error)
{
    (void)self;
    const opening *o = input;
    dataset *d;
    TRY(workspace_open(&d, o->space, &o->from, run, error));
    const kith_status status = fill(result, d, error);
    workspace_release(o->space, d);
    return status;
}

/* {"data", …} to a job with {"description", "pictures", "rows"}. */
static kith_status open_data(const request *r, cJSON *out, kith_error *error)
{
    opening *o = calloc(1, sizeof *o);
    if (o == NULL)
        return json_fail(error, KITH_NOMEM, "out of memory");
    o->space = r->around->workspace;
    const kith_status status = source_settings_take(&o->from, r->body, error);
    if (status != KITH_OK) {
        free(o);
        return status;
    }
    const char *words[8] = {"describe", o->from.uri};
    char separator[2];
    source_settings_words(words + 2, separator, &o->from);
    command_add(out, words);
    return jobs_start(r->around->jobs, "reading", open_work, o, free, out, error);
}

typedef struct making {
    char profile[16];
    char output[256];
    uint64_t n_rows;
} making;

static kith_status generate_work(job *self, void *input, const kith_run *run, cJSON *result,
                                 kith_error *error)
{
    (void)self;
    const making *m = input;
    kith_document *summary = NULL;
    const kith_generate_options options = KITH_OPTIONS(kith_generate_options, .profile = m->profile,
                                                       .n_rows = m->n_rows, .output = m->output);
    TRY(kith_generate(&summary, &options, run, error));
    const kith_status status = json_add_document(result, "summary", summary, error);
    kith_document_free(summary);
    return status;
}

/* {"profile", "rows", "path"} to a job: synthetic data with its study. */
static kith_status generate(const request *r, cJSON *out, kith_error *error)
{
    const char *profile, *path;
    char rows[32];
    uint64_t n_rows;
    TRY(json_need_text(&profile, r->body, "profile", error));
    TRY(json_need_text(&path, r->body, "path", error));
    TRY(json_need_count(&n_rows, r->body, "rows", 1, MAX_MADE_ROWS, error));
    TRY(files_check_writable(path, "", error));
    making *m = calloc(1, sizeof *m);
    if (m == NULL)
        return json_fail(error, KITH_NOMEM, "out of memory");
    m->n_rows = n_rows;
    const int fits = snprintf(m->profile, sizeof m->profile, "%s", profile);
    const int long_enough = snprintf(m->output, sizeof m->output, "%s", path);
    if (fits >= (int)sizeof m->profile || long_enough >= (int)sizeof m->output) {
        free(m);
        return json_fail(error, KITH_INVALID, "expected a profile and a short name");
    }
    snprintf(rows, sizeof rows, "%llu", (unsigned long long)n_rows);
    command_add(out, (const char *[]){"generate", m->profile, "-n", rows, "-o", m->output, NULL});
    return jobs_start(r->around->jobs, "generating", generate_work, m, free, out, error);
}

const route page_data_routes[] = {
    {"/api/data/open", 0, open_data}, {"/api/data/generate", 0, generate}, {NULL, 0, NULL}};
