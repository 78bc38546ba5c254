#include "job/assess/assess.h"

#include <math.h>

#include "core/run/ranks.h"
#include "core/error.h"
#include "job/assess/assess_internal.h"

bool assess_knows_data(const assess_task *task)
{
    return task->data != NULL && !task->models_alone;
}

static kith_status begin_losses(assess_sums *a, kith_error *error)
{
    const prepared *p = a->task.data;
    arena *memory = a->context->memory;
    const uint32_t n = p->problem.n_attributes;
    loss_column *columns = TRY_ZEROS(columns, memory, n, error);
    uint64_t *rows = TRY_ARRAY(rows, memory, n, error);
    for (uint32_t j = 0; j < n; j++) {
        columns[j].tree = p->problem.attributes[j].tree;
        rows[j] = p->columns[p->quasi[j]].hierarchy->n_file_rows;
    }
    const loss_input in = {
        .n_attributes = n, .column = columns, .rows = rows, .shuffled = !a->task.in_order};
    return loss_counts_init(&a->losses, &in, memory, error);
}

kith_status assess_open(assess_sums *a, const assess_task *task, const assess_whole *whole,
                        context *c, kith_error *error)
{
    *a = (assess_sums){.task = *task, .whole = whole, .context = c};
    if (whole != NULL)
        TRY(assess_judges_parts(task->study, error));
    TRY(verify_report_none(&a->found.verified, assess_n_verdicts(task->study), c->memory, error));
    return assess_knows_data(task) ? begin_losses(a, error) : KITH_OK;
}

static kith_status judge_models(const assess_sums *a, kith_error *error)
{
    const verify_report *report = &a->found.verified;
    const kith_study *study = a->task.study;
    uint32_t i = 0;
    if (!a->task.made)
        return KITH_OK;
    if (report->by_persons && report->n_persons != a->task.data->n_units)
        return error_set(
            error, KITH_BUG,
            "%u persons were counted in the release, %u in the data; nothing is written",
            report->n_persons, a->task.data->n_units);
    /* The protocol of a joint run has counted persons; its release shows nobody's rows. */
    const bool counted = study->joint.partition != PARTITION_NONE && !a->task.in_order;
    const uint32_t k = models_minimum_size(study->models, study->n_models);
    if (counted && report->unknown && report->n_classes > 0 && report->smallest < k)
        return error_set(error, KITH_BUG,
                         "the release has a class of %u records, in which there cannot be %u "
                         "persons; nothing is written",
                         report->smallest, k);
    if (report->holds && (!report->unknown || counted))
        return KITH_OK;
    if (report->holds)
        return error_set(error, KITH_BUG,
                         "%s: models count persons, and it is not known whose the "
                         "rows of the release are; nothing is written",
                         study->path);
    while (i + 1 < study->n_models && report->verdict[i].holds)
        i++;
    return error_set(error, KITH_BUG, "the release breaks %s (worst class: %g); nothing is written",
                     model_name(study->models[i].id), report->verdict[i].worst);
}

static kith_status judge_levels(const prepared *data, const kith_table *texts,
                                const verify_report *report, context *c, kith_error *error)
{
    levels_report levels;
    if (!assess_bounds_levels(data->study))
        return KITH_OK;
    TRY(assess_levels(&levels, data, texts, report, c, error));
    return levels.holds ? KITH_OK
                        : error_set(error, KITH_BUG,
                                    "the release shows a level that the study forbids; nothing is "
                                    "written");
}

/* Rows in order must cover the data one by one: a matching could hide that a record got the row of
 * another one. */
static kith_status judge_cover(assess_sums *a, const prepared *data, const kith_table *texts,
                               context *c, kith_error *error)
{
    cover_report *cover = &a->found.cover;
    const bool in_order = a->task.in_order;
    if (!in_order && !a->task.match)
        return KITH_OK;
    TRY(assess_cover(cover, data, texts, c, error));
    if (!cover->holds || (in_order && cover->check != COVER_IN_ORDER))
        return error_set(error, KITH_BUG,
                         "the release does not cover the data; nothing is written");
    return KITH_OK;
}

kith_status assess_add_records(assess_sums *a, const prepared *data, const kith_table *texts,
                               const verify_report *report, loss_input *in, context *c,
                               kith_error *error)
{
    if (a->task.made) {
        TRY(judge_levels(data, texts, report, c, error));
        TRY(judge_cover(a, data, texts, c, error));
    }
    TRY(assess_loss_input(in, data, texts, report, a->task.in_order, c, error));
    return loss_counts_add_records(&a->losses, in, error);
}

kith_status assess_add_classes(assess_sums *a, const kith_table *texts, const verify_report *report,
                               const loss_input *in, context *c, kith_error *error)
{
    TRY(risk_add_after(&a->found.risks.after, a->task.data, report, texts, c, error));
    return loss_counts_add_classes(&a->losses, in, error);
}

/* Models first: a release that breaks one is not worth further checks. */
static kith_status add_models(verify_report *report, assess_sums *a, const kith_table *texts,
                              context *c, kith_error *error)
{
    TRY(assess_models(report, &a->task, a->whole, texts, c, error));
    for (uint32_t i = 0; i < a->task.study->n_models && a->whole != NULL; i++)
        if (report->verdict[i].judged)
            report->verdict[i].row = table_source_row(texts, report->verdict[i].row);
    if (a->whole != NULL)
        return assess_add_models(&a->found.verified, report, a->task.study, c, error);
    a->found.verified = *report;
    return judge_models(a, error);
}

kith_status assess_add(assess_sums *a, const prepared *data, const kith_table *texts, context *c,
                       kith_error *error)
{
    verify_report report;
    loss_input in;
    TRY(add_models(&report, a, texts, c, error));
    if (!assess_knows_data(&a->task))
        return KITH_OK;
    TRY(assess_add_records(a, data, texts, &report, &in, c, error));
    TRY(assess_add_classes(a, texts, &report, &in, c, error));
    if (a->task.analyzed)
        TRY(assess_kl(&a->found.loss.kl, data, &in, c, error));
    if (report.persons != NULL && data->problem.unit != NULL && a->whole == NULL)
        TRY(intersections_count(&a->found.intersections, data, report.grouping,
                                report.suppressed_class, c, error));
    if (a->task.before != NULL)
        return KITH_OK;
    prepared records = *data;
    if (report.persons == NULL) { /* those of the release are not known: count records in both */
        records.problem.unit = NULL;
        records.n_units = 0;
    }
    return risk_add_data(&a->found.risks.before, &records, c, error);
}

/* Losses and risks of all records. */
static kith_status finish_counts(assess_sums *a, kith_error *error)
{
    assessment *found = &a->found;
    const double kl = a->task.analyzed ? found->loss.kl : NAN;
    const uint64_t n = a->losses.n_records;
    if (a->whole != NULL && (found->verified.n_rows != a->whole->n_rows || n != a->whole->n_rows))
        return error_set(
            error, KITH_BUG, "%llu rows were written, %llu records and %u rows of classes assessed",
            (unsigned long long)a->whole->n_rows, (unsigned long long)n, found->verified.n_rows);
    TRY(loss_counts_report(&found->loss, &a->losses, a->context->ranks, a->context->memory, error));
    loss_counts_release(&a->losses);
    found->loss.kl = kl;
    if (a->task.before != NULL)
        found->risks.before = *a->task.before;
    found->risks.n_records = (uint32_t)n;
    risk_finish(&found->risks.before, n);
    risk_finish(&found->risks.after, n);
    return KITH_OK;
}

kith_status assess_finish(assessment *found, assess_sums *a, kith_error *error)
{
    if (ranks_count(a->context->ranks) > 1)
        TRY(assess_unite_sums(a, error));
    if (assess_knows_data(&a->task))
        TRY(finish_counts(a, error));
    *found = a->found;
    return judge_models(a, error);
}

kith_status assess_release(assessment *found, const assess_task *task, const kith_table *texts,
                           context *c, kith_error *error)
{
    assess_sums a;
    if (ranks_count(c->ranks) > 1)
        return assess_ranks(found, task, texts, c, error);
    TRY(assess_open(&a, task, NULL, c, error));
    TRY(assess_add(&a, task->data, texts, c, error));
    return assess_finish(found, &a, error);
}
