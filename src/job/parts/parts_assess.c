/* Assessment over ranks: rows move to where their classes are complete, and records to where those
 * that were equal before are together. */
#include "core/error.h"
#include "job/parts/part_suppressed.h"
#include "job/parts/part_tables.h"
#include "job/parts/parts.h"

static kith_status find_suppressed(parts *p, const prepared *own, const kith_table *texts,
                                   arena *memory, kith_error *error)
{
    context c = *p->context;
    c.memory = memory;
    return part_suppressed_find(&p->whole, p->texts, own->study, own, texts, &c, error);
}

static kith_status assess_classes(parts *p, const prepared *own, const kith_table *texts,
                                  arena *memory, kith_error *error)
{
    part_number labels = {.limit = p->losses.n_labels};
    kith_table complete;
    if (parts_labels_data(p)) {
        labels.of_row = TRY_ALLOC(arena_array(memory, texts->n_rows, sizeof *labels.of_row), error);
        for (uint32_t row = 0; row < texts->n_rows; row++)
            labels.of_row[row] = parts_label(p, own, row);
    }
    TRY(part_tables_exchange(&complete, &labels, p->texts, texts, memory, error));
    return parts_add_classes(p, &complete, labels.of_row, error);
}

kith_status parts_originals(part_rows *cells, const prepared *own, context *c, arena *memory,
                            kith_error *error)
{
    const uint32_t n = own->problem.n_attributes;
    uint32_t *n_codes = TRY_ALLOC(arena_array(memory, n, sizeof *n_codes), error);
    part_rows out = {.n_rows = own->n_rows, .n_columns = n, .n_keys = n, .n_codes = n_codes};
    out.codes = TRY_ALLOC(arena_array(memory, n, sizeof *out.codes), error);
    for (uint32_t j = 0; j < n; j++) {
        out.codes[j] = (uint32_t *)own->problem.attributes[j].cells;
        n_codes[j] = own->problem.attributes[j].tree->n_nodes;
    }
    return part_rows_exchange(cells, &out, c, memory, error);
}

static kith_status assess_originals(parts *p, const prepared *own, const kith_table *texts,
                                    arena *memory, kith_error *error)
{
    part_rows in;
    (void)texts;
    TRY(parts_originals(&in, own, p->context, memory, error));
    return parts_add_originals(p, in.codes, in.n_rows, error);
}

/* Records `first` and those that follow it. */
static kith_status take_records(prepared *some, kith_table *shown, const prepared *own,
                                const kith_table *texts, uint32_t first, uint32_t count,
                                arena *memory, kith_error *error)
{
    const problem *p = &own->problem;
    attribute *attributes =
        TRY_ALLOC(arena_array(memory, p->n_attributes, sizeof *attributes), error);
    sensitive_attribute *sensitive =
        TRY_ALLOC(arena_array(memory, p->n_sensitive, sizeof *sensitive), error);
    *some = *own;
    *shown = *texts;
    shown->columns =
        TRY_ALLOC(arena_array(memory, texts->n_columns, sizeof *shown->columns), error);
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        attributes[j] = p->attributes[j];
        attributes[j].cells += first;
    }
    for (uint32_t i = 0; i < p->n_sensitive; i++) {
        sensitive[i] = p->sensitive[i];
        sensitive[i].values += first;
    }
    for (uint32_t i = 0; i < texts->n_columns; i++) {
        shown->columns[i] = texts->columns[i];
        shown->columns[i].codes += first;
    }
    some->rows += first;
    some->n_rows = some->problem.n_records = shown->n_rows = count;
    some->problem.attributes = attributes;
    some->problem.sensitive = sensitive;
    return KITH_OK;
}

/* In blocks, since it takes some memory for every record. */
static kith_status assess_records(parts *p, const prepared *own, const kith_table *texts,
                                  arena *memory, kith_error *error)
{
    enum { BLOCK = 1 << 17 };
    for (uint64_t first = 0; first < own->n_rows; first += BLOCK) {
        const uint64_t left = own->n_rows - first;
        prepared some;
        kith_table shown;
        TRY(take_records(&some, &shown, own, texts, (uint32_t)first,
                         left < BLOCK ? (uint32_t)left : BLOCK, memory, error));
        TRY(parts_add_records(p, &some, &shown, error));
    }
    return KITH_OK;
}

typedef kith_status step(parts *p, const prepared *own, const kith_table *texts, arena *memory,
                         kith_error *error);

/* Each step with memory that is given back. */
static kith_status take_step(step *one, parts *p, const prepared *own, const kith_table *texts,
                             kith_error *error)
{
    arena *memory = TRY_ALLOC(arena_new_like(p->context->memory), error);
    const kith_status status = one(p, own, texts, memory, error);
    arena_free(memory);
    return status;
}

static kith_status assess_all(assessment *out, parts *p, const prepared *own,
                              const kith_table *texts, kith_error *error)
{
    TRY(take_step(assess_records, p, own, texts, error));
    TRY(take_step(assess_classes, p, own, texts, error));
    TRY(take_step(assess_originals, p, own, texts, error));
    return parts_finish(out, p, error);
}

static kith_status survey(parts **p, const prepared *own, const kith_table *texts, context *c,
                          kith_error *error)
{
    TRY(parts_new(p, own, c, error));
    TRY(parts_survey(*p, texts, error));
    return parts_surveyed(*p, error);
}

kith_status parts_open(parts **p, const prepared *own, const kith_table *texts, context *c,
                       kith_error *error)
{
    TRY(survey(p, own, texts, c, error));
    (*p)->foreign = true;
    return take_step(find_suppressed, *p, own, texts, error);
}

kith_status parts_close(assessment *out, parts *p, const prepared *own, kith_table *texts,
                        kith_error *error)
{
    TRY(part_texts_rewrite(p->texts, texts, error));
    return assess_all(out, p, own, texts, error);
}

kith_status parts_assess(assessment *out, const prepared *own, kith_table *texts, context *c,
                         kith_error *error)
{
    parts *p;
    TRY(survey(&p, own, texts, c, error));
    TRY(part_texts_rewrite(p->texts, texts, error));
    TRY(take_step(find_suppressed, p, own, texts, error));
    TRY(assess_all(out, p, own, texts, error));
    return publication_judge_models(&out->verified, own->study, error);
}
