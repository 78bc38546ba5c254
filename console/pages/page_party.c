/* The page together: this party's part in a dry run and in a joint run. */
#include "console/pages/pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kith/joint.h>
#include <kith/tools.h>

#include "console/pages/run_files.h"
#include "console/pages/studies.h"
#include "console/pages/workspace.h"
#include "console/server/command.h"
#include "console/server/files.h"
#include "console/server/json.h"

typedef struct party_input {
    char study[RUN_PATH];
    char as[128];
    char key[RUN_PATH];
    char listen[256];
    char rows[RUN_PATH];      /* a table for this party's own rows; "": none */
    char id_key[RUN_PATH];    /* its key of a generator; "": none */
    char directory[RUN_PATH]; /* "": a dry run, which writes nothing */
    source_settings from;     /* uri "": no data */
} party_input;

/* What the party knows of the run goes to the page. */
static void on_facts(void *user, const kith_document *facts)
{
    kith_error ignored;
    cJSON *live = cJSON_CreateObject();
    if (live != NULL && json_add_document(live, "facts", facts, &ignored) == KITH_OK)
        job_tell(user, live);
    else
        cJSON_Delete(live);
}

static void add_command(cJSON *out, const party_input *in)
{
    char page[RUN_PATH];
    const bool runs = in->directory[0] != '\0', has_data = in->from.uri[0] != '\0';
    const char *reading[6];
    char separator[2];
    run_file(page, in->directory, "report.html");
    source_settings_words(reading, separator, &in->from);
    const char *words[30] = {"party",
                             in->study,
                             "--as",
                             in->as,
                             "--key",
                             in->key,
                             in->listen[0] != '\0' ? "--listen" : "",
                             in->listen,
                             in->rows[0] != '\0' ? "--rows" : "",
                             in->rows,
                             in->id_key[0] != '\0' ? "--id-key" : "",
                             in->id_key,
                             has_data ? "-i" : "",
                             in->from.uri,
                             runs ? "-o" : "--dry-run",
                             in->directory,
                             runs ? "--report" : "",
                             runs ? page : "",
                             runs ? "--internal" : ""};
    memcpy(words + 19, reading, sizeof reading);
    command_add(out, words);
    if (runs)
        command_before(out, "mkdir", (const char *[]){"-p", "runs", NULL});
}

static kith_party_options options_of(const party_input *in, const kith_input *input, job *self)
{
    const bool runs = in->directory[0] != '\0';
    return (kith_party_options)KITH_OPTIONS(
        kith_party_options, .as = in->as, .key = in->key,
        .listen = in->listen[0] == '\0' ? NULL : in->listen,
        .rows = in->rows[0] == '\0' ? NULL : in->rows,
        .id_key = in->id_key[0] == '\0' ? NULL : in->id_key, .input = input,
        .directory = runs ? in->directory : NULL, .watch = on_facts, .watch_user = self);
}

/* The report of a run that has come to a release. */
static kith_status write_report(const party_input *in, const kith_study *study, kith_error *error)
{
    char page[RUN_PATH];
    run_file(page, in->directory, "report.html");
    const kith_report_options options =
        KITH_OPTIONS(kith_report_options, .run = in->directory, .internal = true, .study = study,
                     .output = page);
    return kith_report(&options, NULL, error);
}

static kith_status take_part(job *self, const party_input *in, const kith_study *study,
                             const kith_run *run, cJSON *result, kith_error *error)
{
    kith_document *said = NULL;
    const bool runs = in->directory[0] != '\0';
    const kith_csv_options csv = source_settings_csv(&in->from);
    const kith_input input = source_settings_input(&in->from, &csv);
    const kith_party_options options = options_of(in, &input, self);
    TRY((runs ? kith_party_run : kith_party_check)(&said, study, &options, run, error));
    kith_status status = json_add_document(result, runs ? "summary" : "check", said, error);
    if (status == KITH_OK && runs)
        status = write_report(in, study, error);
    kith_document_free(said);
    return status;
}

static kith_status do_party(job *self, void *input, const kith_run *run, cJSON *result,
                            kith_error *error)
{
    const party_input *in = input;
    kith_study *study = NULL;
    cJSON_AddStringToObject(result, "directory", in->directory);
    add_command(result, in);
    TRY(studies_open(&study, in->study, NULL, error));
    const kith_status status = take_part(self, in, study, run, result, error);
    kith_study_free(study);
    return status;
}

/* A text of the request that may be missing, but not too long. */
static kith_status take(char *to, size_t size, const cJSON *body, const char *name,
                        kith_error *error)
{
    if (snprintf(to, size, "%s", json_text_or(body, name, "")) >= (int)size)
        return json_fail(error, KITH_INVALID, "'%s' is too long", name);
    return KITH_OK;
}

static kith_status take_more(party_input *in, const cJSON *body, kith_error *error)
{
    TRY(take(in->listen, sizeof in->listen, body, "listen", error));
    TRY(take(in->rows, sizeof in->rows, body, "rows", error));
    TRY(take(in->id_key, sizeof in->id_key, body, "idKey", error));
    if (in->rows[0] != '\0')
        TRY(files_check_database(in->rows, error));
    return in->id_key[0] != '\0' ? files_check(in->id_key, error) : KITH_OK;
}

static kith_status fill(party_input *in, const cJSON *body, bool runs, kith_error *error)
{
    const char *study, *as, *key;
    TRY(json_need_text(&study, body, "study", error));
    TRY(json_need_text(&as, body, "as", error));
    TRY(json_need_text(&key, body, "key", error));
    TRY(files_check_readable(study, error));
    TRY(files_check(key, error)); /* the library reads it; it does not go to the page */
    if (json_text_or(body, "data", "")[0] != '\0')
        TRY(source_settings_take(&in->from, body, error));
    snprintf(in->study, sizeof in->study, "%s", study);
    snprintf(in->as, sizeof in->as, "%s", as);
    snprintf(in->key, sizeof in->key, "%s", key);
    TRY(take_more(in, body, error));
    return runs ? run_directory_plan(in->directory, json_text_or(body, "name", ""), error)
                : KITH_OK;
}

static kith_status start(const request *r, bool runs, cJSON *out, kith_error *error)
{
    party_input *in = calloc(1, sizeof *in);
    if (in == NULL)
        return json_fail(error, KITH_NOMEM, "out of memory");
    const kith_status status = fill(in, r->body, runs, error);
    if (status != KITH_OK) {
        free(in);
        return status;
    }
    add_command(out, in);
    return jobs_start(r->around->jobs, runs ? "joint run" : "dry run", do_party, in, free, out,
                      error);
}

/* {"study", "as", "key", "listen"?, "rows"?, "idKey"?} starts a job that connects and compares:
 * {"check"}. */
static kith_status check_party(const request *r, cJSON *out, kith_error *error)
{
    return start(r, false, out, error);
}

/* The same with "data" and "name" starts a job that takes part: {"directory", "summary"}. */
static kith_status run_party(const request *r, cJSON *out, kith_error *error)
{
    if (!json_flag(r->body, "confirmed"))
        return json_fail(error, KITH_INVALID,
                         "confirm the digest and what is disclosed before data is touched");
    return start(r, true, out, error);
}

const route page_party_routes[] = {
    {"/api/together/check", 0, check_party}, {"/api/together/run", 0, run_party}, {NULL, 0, NULL}};
