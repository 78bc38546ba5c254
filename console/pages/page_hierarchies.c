/* The page Hierarchies: builders, files, and trees with the numbers of records on them. */
#include "console/pages/pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kith/kith.h>
#include <kith/tools.h>

#include "console/pages/studies.h"
#include "console/pages/tree_view.h"
#include "console/pages/workspace.h"
#include "console/server/command.h"
#include "console/server/files.h"
#include "console/server/json.h"

/* What a tree is to be drawn of. */
typedef struct drawing {
    workspace *space;
    source_settings from;
    char column[256];
    char type[16];
    char format[64];      /* of dates */
    char decimal[16];     /* "comma", "point" or "" */
    char study[256];      /* that reads the column so; "": none */
    const char **missing; /* texts that mean missing; NULL: the empty one */
    size_t n_missing;
    char *builder; /* YAML as behind `hierarchy:`; or NULL */
    char *text;    /* of a file in ARX's format; or NULL */
} drawing;

static void free_drawing(void *input)
{
    drawing *d = input;
    for (size_t i = 0; i < d->n_missing; i++)
        free((char *)d->missing[i]);
    free(d->missing);
    free(d->builder);
    free(d->text);
    free(d);
}

/* A builder names no file: those are opened as texts. */
static kith_status check_builder(const char *builder, kith_error *error)
{
    char line[1024];
    kith_document *outline;
    if (snprintf(line, sizeof line, "builder: %s\n", builder) >= (int)sizeof line)
        return json_fail(error, KITH_INVALID, "the builder is too long");
    TRY(kith_study_outline(&outline, line, strlen(line), error));
    const char *word = kith_document_text(outline, "builder", NULL);
    const bool fine = word != NULL ? strcmp(word, "suppress") == 0
                                   : kith_document_n_items(outline, "builder") > 0 &&
                                         !kith_document_has(outline, "builder.file");
    kith_document_free(outline);
    return fine ? KITH_OK
                : json_fail(error, KITH_INVALID,
                            "expected a builder: intervals, mask, dates, order or suppress");
}

static kith_status copy_text(char *to, size_t size, const cJSON *body, const char *name,
                             kith_error *error)
{
    if (snprintf(to, size, "%s", json_text_or(body, name, "")) >= (int)size)
        return json_fail(error, KITH_INVALID, "'%s' is too long", name);
    return KITH_OK;
}

/* "missing" of a request, a list of texts. */
static kith_status take_missing(drawing *d, const cJSON *body, kith_error *error)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(body, "missing"), *item;
    const int count = cJSON_GetArraySize(list);
    d->missing = count == 0 ? NULL : calloc((size_t)count, sizeof *d->missing);
    cJSON_ArrayForEach(item, list)
    {
        if (!cJSON_IsString(item))
            return json_fail(error, KITH_INVALID, "'missing': expected a list of texts");
        char *text = d->missing == NULL ? NULL : strdup(item->valuestring);
        if (text == NULL)
            return json_fail(error, KITH_NOMEM, "out of memory");
        d->missing[d->n_missing++] = text;
    }
    return KITH_OK;
}

static kith_status take_drawing(drawing *d, const cJSON *body, kith_error *error)
{
    const char *builder = json_text_or(body, "builder", NULL);
    const char *text = json_text_or(body, "text", NULL);
    TRY(source_settings_take(&d->from, body, error));
    TRY(copy_text(d->column, sizeof d->column, body, "column", error));
    TRY(copy_text(d->type, sizeof d->type, body, "type", error));
    TRY(copy_text(d->format, sizeof d->format, body, "format", error));
    TRY(copy_text(d->decimal, sizeof d->decimal, body, "decimal", error));
    TRY(copy_text(d->study, sizeof d->study, body, "study", error));
    TRY(take_missing(d, body, error));
    if ((builder == NULL) == (text == NULL))
        return json_fail(error, KITH_INVALID, "expected a builder or the text of a file");
    if (builder != NULL)
        TRY(check_builder(builder, error));
    d->builder = builder == NULL ? NULL : strdup(builder);
    d->text = text == NULL ? NULL : strdup(text);
    if (d->builder == NULL && d->text == NULL)
        return json_fail(error, KITH_NOMEM, "out of memory");
    return KITH_OK;
}

/* How the page asks to read the column: as the study does; without a type as the data is. */
static kith_column_spec spec_of(const drawing *d, const dataset *data, size_t column)
{
    static const char *const names[] = {"string", "integer", "decimal", "date"};
    kith_column_spec spec = {.name = kith_table_column_name(data->table, column)};
    if (d->type[0] == '\0')
        return dataset_spec(data, column);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(d->type, names[i]) == 0)
            spec.type = (kith_type)i;
    if (spec.type == KITH_TYPE_DATE && d->format[0] != '\0')
        spec.date_format = d->format;
    else if (spec.type == KITH_TYPE_INTEGER || spec.type == KITH_TYPE_DECIMAL)
        spec.date_format = strcmp(d->decimal, "comma") == 0   ? ","
                           : strcmp(d->decimal, "point") == 0 ? "."
                                                              : NULL;
    return spec;
}

static kith_status make_hierarchy(kith_hierarchy **made, const drawing *d, const kith_table *values,
                                  kith_findings *findings, kith_error *error)
{
    if (d->builder != NULL)
        return kith_hierarchy_build(made, d->builder, values, 0, findings, error);
    return kith_hierarchy_parse(made, d->text, strlen(d->text), NULL, findings, error);
}

static kith_status draw_column(const drawing *d, const dataset *data, cJSON *result,
                               kith_findings *findings, kith_error *error)
{
    size_t column;
    kith_table *values = NULL;
    kith_hierarchy *hierarchy = NULL;
    TRY(dataset_column(&column, data, d->column, error));
    const kith_column_spec spec = spec_of(d, data, column);
    const kith_table_options reading =
        KITH_OPTIONS(kith_table_options, .columns = &spec, .n_columns = 1,
                     .missing_values = d->missing, .n_missing_values = d->n_missing);
    TRY(dataset_values(&values, data, column, &reading, error));
    kith_status status = make_hierarchy(&hierarchy, d, values, findings, error);
    if (status == KITH_OK)
        status = tree_view_add(result, hierarchy, values, data, column, error);
    else if (kith_findings_n_problems(findings) > 0)
        status = KITH_OK; /* the findings say why there is no tree */
    kith_hierarchy_free(hierarchy);
    kith_table_free(values);
    return status;
}

static kith_status draw_work(job *self, void *input, const kith_run *run, cJSON *result,
                             kith_error *error)
{
    (void)self;
    const drawing *d = input;
    dataset *data;
    TRY(workspace_open(&data, d->space, &d->from, run, error));
    kith_findings *findings = kith_findings_new();
    kith_status status = findings == NULL ? json_fail(error, KITH_NOMEM, "out of memory")
                                          : draw_column(d, data, result, findings, error);
    if (status == KITH_OK)
        status = json_add_findings(result, findings, error);
    kith_findings_free(findings);
    workspace_release(d->space, data);
    return status;
}

static void add_command(cJSON *out, const drawing *d, const char *path)
{
    const bool builds = d->builder != NULL;
    const char *words[18] = {"hierarchy",
                             builds ? "build" : "check",
                             builds ? d->builder : path,
                             builds ? "-i" : "",
                             d->from.uri,
                             "--column",
                             d->column,
                             d->study[0] == '\0' ? "" : "--study",
                             d->study};
    char separator[2];
    source_settings_words(words + 9, separator, &d->from);
    command_add(out, words);
}

/* {"data", "column", "type", "format", "decimal", "missing", "study", "builder" or "text",
 * "path"} to a job with what tree_view_add says and "findings"; without a tree if there are
 * problems. */
static kith_status draw(const request *r, cJSON *out, kith_error *error)
{
    drawing *d = calloc(1, sizeof *d);
    if (d == NULL)
        return json_fail(error, KITH_NOMEM, "out of memory");
    d->space = r->around->workspace;
    const kith_status status = take_drawing(d, r->body, error);
    if (status != KITH_OK) {
        free_drawing(d);
        return status;
    }
    add_command(out, d, json_text_or(r->body, "path", "FILE"));
    return jobs_start(r->around->jobs, "drawing", draw_work, d, free_drawing, out, error);
}

/* {"path", "text", "version"?} to {"version"}: writes a hierarchy file if it can be read back. The
 * version is that of opening it; a new file has none. */
static kith_status save_file(const request *r, cJSON *out, kith_error *error)
{
    const char *path, *text;
    kith_hierarchy *hierarchy;
    TRY(json_need_text(&path, r->body, "path", error));
    TRY(json_need_text(&text, r->body, "text", error));
    TRY(files_check_writable(path, ".csv", error));
    TRY(kith_hierarchy_parse(&hierarchy, text, strlen(text), NULL, NULL, error));
    kith_hierarchy_free(hierarchy);
    command_add(out, (const char *[]){"hierarchy", "check", path, NULL});
    return studies_write(path, text, r->body, out, error);
}

const route page_hierarchies_routes[] = {{"/api/hierarchies/draw", 0, draw},
                                         {"/api/hierarchies/open", 0, studies_show},
                                         {"/api/hierarchies/save", 0, save_file},
                                         {NULL, 0, NULL}};
