#include <string.h>

#include "core/error.h"
#include "job/assess/assess.h"
#include "job/assess/intersections.h"
#include "job/store/store_internal.h"

/* What is known of all rows in the order of the data, where models count persons. */
typedef struct all_rows {
    verify_persons persons;
    kith_table texts; /* sensitive columns of the release as it was read back */
    classes grouping; /* of the release */
    uint32_t suppressed_class;
    size_t room; /* for the sizes of classes */
} all_rows;

/* One assessment. */
typedef struct assessing {
    store *store;
    assess_task task;
    assess_whole shown;
    assess_sums sums;
    all_rows rows;
} assessing;

static kith_status find_suppressed(void *to, const store_part *part, kith_error *error)
{
    assessing *a = to;
    return assess_find_suppressed(&a->shown, &a->task, part->texts, a->store->context, error);
}

/* Reads from the data whose the rows are. */
static kith_status read_persons(assessing *a, kith_error *error)
{
    store *s = a->store;
    arena *memory = s->context->memory;
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(memory), error);
    const uint32_t n = (uint32_t)row_spill_rows(s->data);
    kith_table data = *row_spill_table(s->data);
    uint32_t *row = TRY_ARRAY(row, scratch, n, error);
    data.columns = TRY_ARRAY(data.columns, scratch, data.n_columns, error);
    memcpy(data.columns, s->block.columns, data.n_columns * sizeof *data.columns);
    for (uint32_t i = 0; i < s->study->n_unit; i++) {
        const char *name = s->study->columns[s->study->unit[i]].name;
        data.columns[table_find(&data, name)].codes =
            TRY_ALLOC(arena_array(scratch, n, sizeof(uint32_t)), error);
    }
    for (uint32_t b = 0; b < row_spill_blocks(s->data); b++) {
        TRY(row_spill_block(s->data, b, &s->block, error));
        for (uint32_t i = 0; i < data.n_columns; i++)
            if (data.columns[i].codes != s->block.columns[i].codes)
                memcpy(data.columns[i].codes + data.n_rows, s->block.columns[i].codes,
                       s->block.n_rows * sizeof(uint32_t));
        data.n_rows += s->block.n_rows;
    }
    for (uint32_t i = 0; i < n; i++)
        row[i] = i;
    verify_persons *persons = &a->rows.persons;
    TRY(assess_persons(persons, s->study, &data, row, n, s->context, scratch, error));
    const uint32_t *from = persons->of_row;
    persons->of_row = TRY_ARRAY(persons->of_row, memory, n, error);
    memcpy(persons->of_row, from, n * sizeof *from);
    a->shown.persons = persons;
    return KITH_OK;
}

static kith_status gather_part(void *to, const store_part *part, kith_error *error)
{
    assessing *a = to;
    all_rows *r = &a->rows;
    verify_report report;
    context own = *a->store->context;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(own.memory), error);
    const uint32_t n = part->texts->n_rows, *row = part->texts->source_rows;
    own.memory = memory;
    a->shown.counts = part->counts;
    TRY(assess_group(&report, &a->task, &a->shown, part->texts, &own, error));
    const uint32_t first = r->grouping.count;
    r->grouping.count += report.grouping->count;
    TRY_GROW(r->grouping.size, r->room, r->grouping.count, a->store->context->memory, error);
    memcpy(r->grouping.size + first, report.grouping->size,
           report.grouping->count * sizeof(uint32_t));
    if (report.suppressed_class != UINT32_MAX)
        r->suppressed_class = first + report.suppressed_class;
    for (uint32_t i = 0; i < n; i++)
        r->grouping.class_of[row[i]] = first + report.grouping->class_of[i];
    for (uint32_t j = 0; j < r->texts.n_columns; j++)
        for (uint32_t i = 0; i < n && r->texts.columns[j].codes != NULL; i++)
            r->texts.columns[j].codes[row[i]] = part->texts->columns[j].codes[i];
    return KITH_OK;
}

/* The classes of all rows, and their sensitive values. */
static kith_status gather_rows(assessing *a, kith_error *error)
{
    store *s = a->store;
    all_rows *r = &a->rows;
    const kith_study *study = s->study;
    arena *memory = s->context->memory;
    const uint32_t n = (uint32_t)row_spill_rows(s->release);
    r->suppressed_class = UINT32_MAX;
    r->grouping.class_of = TRY_ARRAY(r->grouping.class_of, memory, n, error);
    r->texts = *row_spill_table(s->release);
    r->texts.n_rows = n;
    r->texts.source_rows = NULL;
    column *columns = TRY_ARRAY(columns, memory, r->texts.n_columns, error);
    for (uint32_t i = 0; i < r->texts.n_columns; i++) {
        const uint32_t at = study_find_column(study, r->texts.columns[i].name);
        columns[i] = r->texts.columns[i];
        columns[i].codes = NULL;
        if (at != UINT32_MAX && study->columns[at].role == ROLE_SENSITIVE)
            columns[i].codes = TRY_ARRAY(columns[i].codes, memory, n, error);
    }
    r->texts.columns = columns;
    TRY(store_parts(s, gather_part, a, error));
    return assess_persons_with(&a->shown, &r->persons, study, &r->texts, s->context, error);
}

static kith_status store_assess_add_part(void *to, const store_part *part, kith_error *error)
{
    assessing *a = to;
    prepared data;
    context own = *a->store->context;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(own.memory), error);
    own.memory = memory;
    a->shown.counts = part->counts;
    TRY(prepare_slice(&data, a->task.study, part->data, &a->store->values.whole, &own, error));
    return assess_add(&a->sums, &data, part->texts, &own, error);
}

/* What several classes of one person have in common is a question about all of them. */
static kith_status cross_classes(const assessing *a, assessment *found, kith_error *error)
{
    const store_values *values = &a->store->values;
    prepared all = values->prepared;
    if (all.problem.unit == NULL)
        return KITH_OK;
    all.problem.n_records = all.n_rows = values->units.rows.n_records;
    all.problem.sensitive = values->units.rows.sensitive;
    return intersections_count(&found->intersections, &all, &a->rows.grouping,
                               a->rows.suppressed_class, a->store->context, error);
}

kith_status store_assess(store *s, const risk *before, assessment *found, kith_error *error)
{
    assessing a = {.store = s, .shown = {.n_rows = s->values.whole.n_rows}};
    a.task = (assess_task){.study = s->study,
                           .data = &s->values.prepared,
                           .in_order = true,
                           .made = true,
                           .before = before};
    if (assess_may_suppress(s->study, a.shown.n_rows) > 0)
        TRY(store_parts(s, find_suppressed, &a, error));
    if (s->study->n_unit > 0) {
        TRY(read_persons(&a, error));
        TRY(gather_rows(&a, error));
    }
    TRY(assess_open(&a.sums, &a.task, &a.shown, s->context, error));
    TRY(store_parts(s, store_assess_add_part, &a, error));
    TRY(assess_finish(found, &a.sums, error));
    return cross_classes(&a, found, error);
}
