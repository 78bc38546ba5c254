#include "job/parts/parts.h"

#include <string.h>

#include "core/error.h"
#include "job/parts/part_report.h"
#include "job/parts/part_suppressed.h"

static kith_status refuse_means(const kith_study *study, kith_error *error)
{
    for (uint32_t i = 0; i < study->n_columns; i++)
        if (study->columns[i].mean)
            return error_set(error, KITH_INVALID,
                             "%s: the means of column %s cannot be checked on a release in parts",
                             study->path, study->columns[i].name);
    return KITH_OK;
}

kith_status parts_new(parts **out, const prepared *shape, context *c, kith_error *error)
{
    TRY(assess_judges_parts(shape->study, error));
    TRY(refuse_means(shape->study, error));
    parts *p = TRY_ALLOC(arena_zalloc(c->memory, 1, sizeof *p), error);
    p->shape = shape;
    p->context = c;
    p->label = assess_label_column(shape);
    TRY(part_texts_new(&p->texts, shape->study, true, c, error));
    TRY(verify_report_none(&p->verified, assess_n_verdicts(shape->study), c->memory, error));
    *out = p;
    return KITH_OK;
}

kith_status parts_survey(parts *p, const kith_table *texts, kith_error *error)
{
    return part_texts_survey(p->texts, texts, error);
}

bool parts_labels_data(const parts *p)
{
    return p->label != NULL && p->label->attribute != PREPARE_NONE;
}

uint32_t parts_label(const parts *p, const prepared *data, uint32_t record)
{
    const column *from = &data->table->columns[p->label->source];
    const uint32_t code = from->codes[data->rows[record]];
    return code == TABLE_MISSING ? from->values.count : code;
}

/* How many labels there are in the whole, the missing one included. */
static uint32_t count_labels(const parts *p)
{
    if (p->label == NULL)
        return 0;
    if (parts_labels_data(p))
        return p->shape->table->columns[p->label->source].values.count + 1;
    for (uint32_t i = p->texts->n_quasi; i < p->texts->n_columns; i++)
        if (strcmp(p->texts->columns[i].name, p->label->study->name) == 0)
            return p->texts->columns[i].values.count + 1;
    return 0;
}

static kith_status begin_losses(parts *p, kith_error *error)
{
    arena *memory = p->context->memory;
    const uint32_t n = p->shape->problem.n_attributes;
    loss_column *columns = TRY_ALLOC(arena_zalloc(memory, n, sizeof *columns), error);
    uint64_t *rows = TRY_ALLOC(arena_array(memory, n, sizeof *rows), error);
    for (uint32_t j = 0; j < n; j++) {
        columns[j].tree = p->shape->problem.attributes[j].tree;
        rows[j] = p->shape->columns[p->shape->quasi[j]].hierarchy->n_file_rows;
    }
    const loss_input in = {
        .n_attributes = n, .column = columns, .rows = rows, .n_labels = count_labels(p)};
    return loss_counts_init(&p->losses, &in, p->label != NULL, memory, error);
}

kith_status parts_surveyed(parts *p, kith_error *error)
{
    TRY(part_texts_finish(p->texts, error));
    TRY(part_report_whole(&p->whole, p->texts, error));
    return begin_losses(p, error);
}

kith_status parts_find_suppressed(parts *p, const kith_table *texts, kith_error *error)
{
    context c = *p->context;
    if (p->whole.suppressed != NULL)
        return KITH_OK;
    c.memory = TRY_ALLOC(arena_new_like(p->context->memory), error);
    const kith_status status =
        part_suppressed_find(&p->whole, p->texts, p->shape->study, p->shape, texts, &c, error);
    arena_free(c.memory);
    return status;
}

kith_status parts_group(verify_report *report, const parts *p, const kith_table *texts,
                        arena *memory, kith_error *error)
{
    const uint32_t n = p->texts->n_quasi;
    uint32_t *quasi = TRY_ALLOC(arena_array(memory, n, sizeof *quasi), error);
    suppressed_root *roots = TRY_ALLOC(arena_zalloc(memory, n, sizeof *roots), error);
    const bool may_suppress = p->whole.suppressed != NULL;
    for (uint32_t j = 0; j < n; j++) {
        quasi[j] = table_find(texts, p->texts->columns[j].name);
        roots[j].label = may_suppress ? p->whole.suppressed[j] : NULL;
    }
    const verify_task task = {.release = texts,
                              .quasi = quasi,
                              .n_quasi = n,
                              .may_suppress = may_suppress ? texts->n_rows : 0,
                              .roots = roots};
    return verify_release(report, &task, memory, error);
}

static kith_status add_records(parts *p, const prepared *data, const kith_table *texts, context *c,
                               kith_error *error)
{
    kith_table recoded;
    verify_report own;
    cover_report cover;
    loss_input in;
    TRY(part_texts_recode(p->texts, &recoded, texts, c->memory, error));
    TRY(parts_group(&own, p, &recoded, c->memory, error));
    if (!p->foreign)
        TRY(publication_judge_levels(data, &recoded, &own, c, error));
    TRY(assess_cover(&cover, data, &recoded, c, error));
    TRY(publication_judge_cover(&cover, true, error));
    TRY(assess_loss_input(&in, data, &recoded, &own, true, c, error));
    return loss_counts_add_records(&p->losses, &in, error);
}

kith_status parts_add_records(parts *p, const prepared *data, const kith_table *texts,
                              kith_error *error)
{
    context c = *p->context;
    c.memory = TRY_ALLOC(arena_new_like(p->context->memory), error);
    const kith_status status = add_records(p, data, texts, &c, error);
    arena_free(c.memory);
    return status;
}

/* Only the columns that have been surveyed, in that order: the counts of the whole are. */
static kith_status choose_columns(kith_table *part, const parts *p, const kith_table *texts,
                                  arena *memory, kith_error *error)
{
    kith_table recoded;
    TRY(part_texts_recode(p->texts, &recoded, texts, memory, error));
    *part = recoded;
    part->n_columns = p->texts->n_columns;
    part->columns = TRY_ALLOC(arena_array(memory, part->n_columns, sizeof *part->columns), error);
    for (uint32_t i = 0; i < part->n_columns; i++)
        part->columns[i] = recoded.columns[table_find(&recoded, p->texts->columns[i].name)];
    return KITH_OK;
}

/* The labels of rows that show them. */
static kith_status read_labels(uint32_t **labels, const parts *p, const kith_table *part,
                               arena *memory, kith_error *error)
{
    const column *from = &part->columns[table_find(part, p->label->study->name)];
    *labels = TRY_ALLOC(arena_array(memory, part->n_rows, sizeof **labels), error);
    for (uint32_t row = 0; row < part->n_rows; row++)
        (*labels)[row] = from->codes[row] == TABLE_MISSING ? from->values.count : from->codes[row];
    return KITH_OK;
}

/* What losses need to know of complete classes. */
static kith_status count_classes(parts *p, const kith_table *part, const verify_report *report,
                                 const uint32_t *label, arena *memory, kith_error *error)
{
    uint32_t *own_label = NULL;
    uint32_t *class_of = TRY_ALLOC(arena_array(memory, part->n_rows, sizeof *class_of), error);
    for (uint32_t row = 0; row < part->n_rows; row++) {
        const uint32_t class = report->grouping->class_of[row];
        class_of[row] = class == report->suppressed_class ? LOSS_SUPPRESSED : class;
    }
    if (p->label != NULL && label == NULL)
        TRY(read_labels(&own_label, p, part, memory, error));
    const loss_input in = {.n_records = part->n_rows,
                           .n_classes = report->grouping->count,
                           .class_of = class_of,
                           .label = label != NULL ? label : own_label,
                           .n_labels = p->losses.n_labels};
    return loss_counts_add_classes(&p->losses, &in, error);
}

static kith_status add_classes(parts *p, const kith_table *texts, const uint32_t *label, context *c,
                               kith_error *error)
{
    kith_table part;
    verify_report report;
    TRY(choose_columns(&part, p, texts, c->memory, error));
    TRY(assess_models_of_part(&report, p->shape->study, &p->whole, &part, c, error));
    TRY(assess_add_models(&p->verified, &report, p->shape->study, c, error));
    TRY(risk_add_after(&p->after, p->shape, &report, &part, c, error));
    return count_classes(p, &part, &report, label, c->memory, error);
}

kith_status parts_add_classes(parts *p, const kith_table *texts, const uint32_t *label,
                              kith_error *error)
{
    context c = *p->context;
    ASSERT((label != NULL) == parts_labels_data(p));
    c.memory = TRY_ALLOC(arena_new_like(p->context->memory), error);
    const kith_status status = add_classes(p, texts, label, &c, error);
    arena_free(c.memory);
    return status;
}

kith_status parts_add_originals(parts *p, uint32_t *const *cells, uint32_t n_records,
                                kith_error *error)
{
    context c = *p->context;
    c.memory = TRY_ALLOC(arena_new_like(p->context->memory), error);
    const kith_status status = risk_add_before(&p->before, p->shape, cells, n_records, &c, error);
    arena_free(c.memory);
    return status;
}

/* Adds up the risks of all ranks. */
static kith_status unite_risks(parts *p, kith_error *error)
{
    context *c = p->context;
    const risk own[2] = {p->before, p->after};
    crew_bytes *all = TRY_ALLOC(arena_array(c->memory, crew_size(c->crew), sizeof *all), error);
    TRY(crew_gather(c->crew, own, sizeof own, all, c->memory, error));
    p->before = p->after = (risk){0};
    for (uint32_t r = 0; r < crew_size(c->crew); r++) {
        risk theirs[2];
        memcpy(theirs, all[r].bytes, sizeof theirs);
        risk_add(&p->before, &theirs[0]);
        risk_add(&p->after, &theirs[1]);
    }
    return KITH_OK;
}

kith_status parts_finish(assessment *out, parts *p, kith_error *error)
{
    context *c = p->context;
    *out = (assessment){.cover = {.holds = true, .check = COVER_IN_ORDER}};
    TRY(part_report_unite(&p->verified, p->shape->study, c, error));
    TRY(unite_risks(p, error));
    TRY(loss_counts_unite(&p->losses, c->crew, error));
    const uint64_t n = p->whole.n_rows;
    if (p->verified.n_rows != n || p->losses.n_records != n)
        return error_set(
            error, KITH_BUG, "%llu rows were written, %llu records and %u rows of classes assessed",
            (unsigned long long)n, (unsigned long long)p->losses.n_records, p->verified.n_rows);
    TRY(loss_counts_report(&out->loss, &p->losses, c->crew, c->memory, error));
    out->verified = p->verified;
    risk_finish(&p->before, n);
    risk_finish(&p->after, n);
    out->risks = (risk_report){(uint32_t)n, p->before, p->after};
    return KITH_OK;
}
