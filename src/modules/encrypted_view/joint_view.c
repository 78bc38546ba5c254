/* Joint runs by the encrypted view: parties give columns, the master runs a search on codes, and
 * all parties with data get the texts of the release. */
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "job/joint/joint_run.h"
#include "modules/encrypted_view/encrypted_view_module.h"
#include "job/joint/background_search.h"
#include "job/joint/joint_release.h"
#include "modules/encrypted_view/view_columns.h"
#include "modules/encrypted_view/view_labels.h"
#include "modules/encrypted_view/view_problem.h"
#include "job/prepare/units.h"
#include "table/table_builder.h"

/* The view's codes, and all that the search makes of them, are wiped as soon as it has ended. */
static kith_status anonymize(joint_run *j, const view_joint *joint, const view_columns *columns,
                             view_notes *notes, kith_error *error)
{
    context searching = *j->context;
    arena *own ARENA_SCOPED = TRY_ALLOC(arena_new_wiping(), error);
    searching.memory = own;
    /* The master's search on codes, with the seed that all masters share. The packet gets the codes
     * of the result. */
    view_problem vp;
    search_result result;
    const algorithm *a = search_find(j->study->algorithm);
    party_step(j->party, "anonymization");
    const double begun = context_seconds();
    searching.seed = joint->seed;
    if (a == NULL)
        return error_set(error, KITH_INVALID, "there is no algorithm %s", j->study->algorithm);
    TRY(view_problem_make(&vp, j->study, joint->packet, columns, &searching, error));
    const uint32_t refused = units_refused_model(&vp.problem);
    notes->reason = refused == UINT32_MAX ? 0 : refused + UINT64_C(1);
    TRY(units_check_models(&(prepared){.problem = vp.problem}, &searching, error));
    TRY(background_search(&result, a, &vp.problem, &j->study->search, &searching, j->party, error));
    j->report.stopped = result.stopped;
    notes->loss_is_known = view_problem_loss(&vp, &result, &notes->lm, &notes->objective);
    notes->n_passes = result.n_passes;
    notes->n_transformations = result.n_transformations;
    notes->n_checked = result.checked;
    TRY(view_problem_apply(joint->packet, &vp, &result, error));
    notes->seconds = context_seconds() - begun;
    return KITH_OK;
}

/* What fill_release needs. */
typedef struct filling {
    const kith_study *study;
    const view_release *released;
    const view_columns *columns;
} filling;

static kith_status fill_release(const void *user, kith_table **out, arena *memory, arena *scratch,
                                kith_error *error)
{
    const filling *f = user;
    const view_release *r = f->released;
    const view_columns *columns = f->columns;
    const size_t room = columns->count;
    kith_column_spec *spec = TRY_ZEROS(spec, scratch, room, error);
    const char ***text = TRY_ZEROS(text, scratch, room, error);
    kith_table_options options = KITH_INIT(kith_table_options);
    table_builder *b;
    for (uint32_t j = 0; j < columns->count; j++) {
        spec[j].name = f->study->columns[columns->numbers[j]].name;
        /* the texts of a column, once per value; NULL for missing cells */
        text[j] = TRY_ZEROS(text[j], scratch, r->values[j], error);
        for (uint32_t i = 0; i < r->values[j]; i++) {
            const view_label *label = &r->labels[j][i];
            if (view_labels_missing(label))
                continue;
            if (text_utf8_error(label->bytes, label->length) != label->length)
                return error_set(error, KITH_PEER, "a site sent a label that is not UTF-8 text");
            text[j][i] = TRY_ALLOC(arena_strndup(scratch, label->bytes, label->length), error);
        }
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

static void report(joint_run *j, const view *v, const view_notes *notes)
{
    view_report(v, &j->report);
    report_fact(&j->report, "anonymization_seconds", notes->seconds);
    if (notes->n_transformations > 0) {
        report_fact(&j->report, "transformations", (double)notes->n_transformations);
        report_fact(&j->report, "checked", (double)notes->n_checked);
    }
    j->report.n_passes = (uint32_t)notes->n_passes;
    j->loss.known = notes->loss_is_known != 0;
    j->loss.lm = notes->lm;
    j->loss.objective = notes->objective;
}

static kith_status run_view(joint_run *j, view **v, kith_error *error)
{
    view_columns columns;
    view_joint joint;
    view_notes notes = {0};
    view_release released;
    TRY(view_columns_make(&columns, j->party, j->study, j->table, j->context, error));
    view_task task = {.options = &j->study->joint,
                      .n_columns = columns.n_sources,
                      .n_released = columns.count,
                      .columns = columns.sources,
                      .n_rows = columns.n_rows,
                      .tid = columns.tid,
                      .context = j->context};
    TRY(view_open(v, j->party, &task, error));
    TRY(joint_run_opening(j, error));
    TRY(view_gather(*v, &joint, error));
    if (joint.packet != NULL) {
        kith_status status = anonymize(j, &joint, &columns, &notes, error);
        if (status != KITH_OK) {
            view_abandon(*v, status, notes.reason);
            return status;
        }
    }
    TRY(joint_run_publishing(j, error));
    kith_status status = view_reveal(*v, &released, &notes, error);
    if (status == KITH_DATA && j->study->n_unit > 0 && notes.reason > 0 &&
        notes.reason <= j->study->n_models)
        return units_refuse_model("the master found that persons of all sites together",
                                  &j->study->models[notes.reason - 1], error);
    TRY(status);
    j->n_records = released.n_rows;
    if (j->study->joint.partition == PARTITION_VERTICAL && columns.n_rows > released.n_rows)
        j->n_unmatched = columns.n_rows - released.n_rows;
    report(j, *v, &notes);
    const filling f = {j->study, &released, &columns};
    return released.labels == NULL
               ? KITH_OK
               : joint_release_build(&j->release, j->party, fill_release, &f, error);
}

kith_status joint_view(joint_run *j, kith_error *error)
{
    view *v = NULL;
    kith_status status = run_view(j, &v, error);
    view_close(v); /* wipes the keys, also after an error */
    return status;
}
