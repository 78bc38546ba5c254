/* Joint runs by the encrypted view: columns in, the master runs the engine on codes, texts out. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "job/joint/joint_run.h"
#include "job/joint/background_search.h"
#include "job/joint/view_columns.h"
#include "job/joint/view_labels.h"
#include "job/joint/view_problem.h"
#include "table/table_builder.h"

/* What the master tells the others. */
enum { NOTE_SECONDS, NOTE_LM, NOTE_OBJECTIVE, NOTE_KNOWN, NOTE_PASSES, NOTE_NODES, NOTE_CHECKED };

static void take_notes(view *v, const view_problem *vp, const search_result *result)
{
    v->note[NOTE_KNOWN] =
        view_problem_loss(vp, result, &v->note[NOTE_LM], &v->note[NOTE_OBJECTIVE]);
    v->note[NOTE_PASSES] = result->n_passes;
    v->note[NOTE_NODES] = (double)result->n_transformations;
    v->note[NOTE_CHECKED] = (double)result->checked;
}

/* The engine on codes: with the seed that all masters share. */
static kith_status search_view(joint_run *j, view *v, const view_columns *columns,
                               kith_error *error)
{
    view_problem vp;
    search_result result;
    context searching = *j->context;
    const algorithm *a = search_find(j->study->algorithm);
    searching.seed = v->seed;
    if (a == NULL)
        return error_set(error, KITH_INVALID, "there is no algorithm %s", j->study->algorithm);
    TRY(view_problem_make(&vp, j->study, &v->packet, columns->numbers, &searching, error));
    TRY(background_search(&result, a, &vp.problem, &j->study->search, &searching, j->party, error));
    j->report.stopped = result.stopped;
    take_notes(v, &vp, &result);
    return view_problem_apply(&v->packet, &vp, &result, error);
}

static kith_status anonymize(joint_run *j, view *v, const view_columns *columns, kith_error *error)
{
    party_step(j->party, "anonymization");
    double begun = context_seconds();
    kith_status status = search_view(j, v, columns, error);
    v->note[NOTE_SECONDS] = context_seconds() - begun;
    return status;
}

static const char *text_of(char **scratch, const view_label *label, arena *memory)
{
    if (view_labels_missing(label))
        return NULL;
    *scratch = arena_strndup(memory, label->bytes, label->length);
    return *scratch;
}

/* Dictionaries as texts, once per value. */
static kith_status texts_of(const char ***texts, const view_release *r, uint32_t j, arena *memory,
                            kith_error *error)
{
    *texts = arena_zalloc(memory, r->values[j], sizeof **texts);
    TRY_ALLOC(*texts, error);
    for (uint32_t i = 0; i < r->values[j]; i++) {
        char *copy = NULL;
        (*texts)[i] = text_of(&copy, &r->labels[j][i], memory);
        if (copy == NULL && !view_labels_missing(&r->labels[j][i]))
            return error_nomem(error);
    }
    return KITH_OK;
}

static kith_status fill_release(kith_table **out, const view_release *r, const kith_study *study,
                                const view_columns *columns, arena *memory, arena *scratch,
                                kith_error *error)
{
    kith_column_spec *spec = arena_zalloc(scratch, columns->count, sizeof *spec);
    const char ***text = arena_zalloc(scratch, columns->count, sizeof *text);
    kith_table_options options = KITH_INIT(kith_table_options);
    table_builder *b;
    TRY_ALLOC(spec, error);
    TRY_ALLOC(text, error);
    for (uint32_t j = 0; j < columns->count; j++) {
        spec[j].name = study->columns[columns->numbers[j]].name;
        TRY(texts_of(&text[j], r, j, scratch, error));
    }
    TRY(table_builder_new(&b, memory, "release", spec, columns->count, &options, error));
    for (uint32_t i = 0; i < r->n_rows; i++) {
        for (uint32_t j = 0; j < columns->count; j++) {
            const char *cell = text[j][r->codes[j][i]];
            TRY(table_builder_cell(b, j, cell, cell == NULL ? 0 : strlen(cell), error));
        }
        TRY(table_builder_row(b, error));
    }
    return table_builder_finish(b, out, error);
}

static kith_status make_release(joint_run *j, const view_release *r, const view_columns *columns,
                                kith_error *error)
{
    arena *memory = arena_new(), *scratch = arena_new();
    kith_status status =
        memory == NULL || scratch == NULL
            ? error_nomem(error)
            : fill_release(&j->release, r, j->study, columns, memory, scratch, error);
    arena_free(scratch);
    if (status != KITH_OK) {
        arena_free(memory);
        j->release = NULL;
    }
    return status;
}

static void report(joint_run *j, const view *v)
{
    view_report(v, &j->report);
    report_fact(&j->report, "anonymization_seconds", v->note[NOTE_SECONDS]);
    if (v->note[NOTE_NODES] > 0) {
        report_fact(&j->report, "transformations", v->note[NOTE_NODES]);
        report_fact(&j->report, "checked", v->note[NOTE_CHECKED]);
    }
    j->report.n_passes = (uint32_t)v->note[NOTE_PASSES];
    j->loss.known = v->note[NOTE_KNOWN] != 0;
    j->loss.lm = v->note[NOTE_LM];
    j->loss.objective = v->note[NOTE_OBJECTIVE];
}

static kith_status run_view(joint_run *j, view **v, kith_error *error)
{
    view_columns columns;
    view_release released;
    TRY(view_columns_make(&columns, j->party, j->study, j->table, j->context, error));
    view_task task = {.options = &j->study->joint,
                      .n_columns = columns.count,
                      .columns = columns.sources,
                      .n_rows = columns.n_rows,
                      .tid = columns.tid,
                      .context = j->context};
    TRY(view_open(v, j->party, &task, error));
    TRY(view_gather(*v, error));
    kith_status status = KITH_OK;
    if (view_masters(*v))
        status = anonymize(j, *v, &columns, error);
    kith_error own = {.status = KITH_OK};
    if (error != NULL)
        own = *error; /* the master's says more */
    kith_status revealed = view_reveal(*v, &released, status, error);
    if (status != KITH_OK && error != NULL)
        *error = own;
    TRY(status != KITH_OK ? status : revealed);
    j->n_records = released.n_rows;
    report(j, *v);
    return released.labels == NULL ? KITH_OK : make_release(j, &released, &columns, error);
}

kith_status joint_view(joint_run *j, kith_error *error)
{
    view *v = NULL;
    kith_status status = run_view(j, &v, error);
    view_close(v); /* with the keys */
    return status;
}
