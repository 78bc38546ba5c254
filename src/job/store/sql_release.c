#include "job/store/sql_release.h"

#include <string.h>

#include "core/error.h"
#include "job/parts/part_report.h"
#include "job/parts/part_texts.h"
#include "job/store/class_key.h"
#include "table/postgres_table.h"
#include "table/table_builder.h"

enum { PART_ROWS = 1 << 16 }; /* a part ends with the class that has this row */

struct sql_release {
    const kith_study *study;
    context *context;
    postgres_table *table;
    kith_table columns; /* without rows */
    part_texts *texts;
    uint32_t *at;            /* [texts->n_columns] columns of the server */
    kith_column_spec *specs; /* [texts->n_columns] */
    uint32_t *quasi;         /* [texts->n_quasi] 0, 1, … */
    assess_whole whole;
    verify_report report;
    const char **examples; /* [models][n_quasi] what the worst classes show; NULL is missing */
};

/* What is done with some rows. */
typedef kith_status part_visit(sql_release *r, const kith_table *rows, context *c,
                               kith_error *error);

/* A part in the making. */
typedef struct part {
    sql_release *release;
    bool by_classes; /* rows are sorted, and every class is complete in one part */
    part_visit *visit;
    arena *memory;
    table_builder *rows;
    uint32_t n_rows;
    class_key key;
} part;

static kith_status begin_part(part *p, kith_error *error)
{
    const sql_release *r = p->release;
    p->memory = TRY_ALLOC(arena_new_like(r->context->memory), error);
    p->n_rows = 0;
    return table_builder_new(&p->rows, p->memory, r->table->shown, r->specs, r->texts->n_columns,
                             &r->table->options, error);
}

static kith_status end_part(part *p, kith_error *error)
{
    sql_release *r = p->release;
    context own = *r->context;
    kith_table *rows;
    if (!context_progress(r->context, p->by_classes ? "verify" : "load", -1))
        return error_set(error, KITH_CANCELLED, "interrupted while reading %s", r->table->shown);
    TRY(table_builder_finish(p->rows, &rows, error));
    own.memory = p->memory;
    TRY(p->visit(r, rows, &own, error));
    arena_free(p->memory);
    p->memory = NULL;
    return KITH_OK;
}

static kith_status add_row(part *p, const postgres_cursor *c, kith_error *error)
{
    for (uint32_t i = 0; i < p->release->texts->n_columns; i++) {
        const char *text = postgres_cursor_cell(c, (int)i);
        TRY(table_builder_cell(p->rows, i, text, text == NULL ? 0 : strlen(text), error));
    }
    p->n_rows++;
    return table_builder_row(p->rows, error);
}

static kith_status read_parts(part *p, postgres_cursor *c, kith_error *error)
{
    bool more = true, may_end = true;
    while (true) {
        TRY(postgres_cursor_next(c, &more, error));
        if (!more)
            break;
        if (p->by_classes)
            TRY(class_key_next(&p->key, c, &may_end, error));
        if (p->memory != NULL && may_end && p->n_rows >= PART_ROWS)
            TRY(end_part(p, error));
        if (p->memory == NULL)
            TRY(begin_part(p, error));
        TRY(add_row(p, c, error));
    }
    return p->memory == NULL ? KITH_OK : end_part(p, error);
}

/* Cells that are equal in memory are equal to the server in this order. */
static const char *select_rows(const sql_release *r, bool by_classes, arena *memory)
{
    const char *list = "", *order = "";
    for (uint32_t i = 0; i < r->texts->n_columns && list != NULL && order != NULL; i++) {
        const postgres_column *c = &r->table->columns[r->at[i]];
        list = arena_printf(memory, "%s%s%s", list, i == 0 ? "" : ", ", c->quoted);
        if (by_classes && i < r->texts->n_quasi) /* in parentheses, since a number is a place */
            order = arena_printf(memory, "%s%s(%s)", order, i == 0 ? " ORDER BY " : ", ", c->cell);
    }
    return list == NULL || order == NULL
               ? NULL
               : arena_printf(memory, "SELECT %s FROM %s%s", list, r->table->from, order);
}

static kith_status visit_parts(sql_release *r, bool by_classes, part_visit *visit,
                               kith_error *error)
{
    part p = {.release = r,
              .by_classes = by_classes,
              .visit = visit,
              .key = {.columns = r->quasi, .n_columns = r->texts->n_quasi}};
    postgres_cursor c;
    TRY(postgres_cursor_open(&c, r->table->db, select_rows(r, by_classes, r->context->memory),
                             error));
    kith_status status = read_parts(&p, &c, error);
    postgres_cursor_close(&c);
    arena_free(p.memory);
    class_key_free(&p.key);
    return status;
}

static kith_status survey_part(sql_release *r, const kith_table *rows, context *c,
                               kith_error *error)
{
    (void)c;
    return part_texts_survey(r->texts, rows, error);
}

/* Keeps what a row of the worst class shows. */
static kith_status keep_example(sql_release *r, uint32_t model, const kith_table *rows,
                                uint32_t row, kith_error *error)
{
    const uint32_t n = r->texts->n_quasi;
    for (uint32_t j = 0; j < n; j++) {
        const column *c = &rows->columns[j];
        const char **to = &r->examples[(size_t)model * n + j];
        *to = NULL;
        if (c->codes[row] != TABLE_MISSING)
            *to = TRY_ALLOC(
                arena_strdup(r->context->memory, dictionary_text(&c->values, c->codes[row])),
                error);
    }
    return KITH_OK;
}

static kith_status judge_part(sql_release *r, const kith_table *rows, context *c, kith_error *error)
{
    const uint32_t n_models = r->study->n_models;
    kith_table recoded;
    verify_report own;
    TRY(part_texts_recode(r->texts, &recoded, rows, c->memory, error));
    TRY(assess_models_of_part(&own, r->study, &r->whole, &recoded, c, error));
    for (uint32_t i = 0; i < n_models; i++) { /* rows count from 1; 0: one of an earlier part */
        r->report.verdict[i].row = 0;
        own.verdict[i].row++;
    }
    TRY(assess_add_models(&r->report, &own, r->study, c, error));
    for (uint32_t i = 0; i < n_models; i++)
        if (r->report.verdict[i].row > 0)
            TRY(keep_example(r, i, &recoded, r->report.verdict[i].row - 1, error));
    return KITH_OK;
}

static kith_status refuse(kith_status status, kith_error *error)
{
    return error_hint(error, status, "with engine: memory the release is read into memory");
}

static kith_status refuse_study(const kith_study *study, kith_error *error)
{
    const kith_status status = assess_judges_parts(study, error);
    if (status != KITH_OK)
        return refuse(status, error);
    if (assess_may_suppress(study, UINT32_MAX) == 0)
        return KITH_OK;
    error_set(error, KITH_INVALID, "%s: suppressed rows cannot be found with engine: sql",
              study->path);
    return refuse(KITH_INVALID, error);
}

/* Classes by all quasi-identifiers need not be good for lkc. */
static kith_status refuse_choices(const sql_release *r, kith_error *error)
{
    for (uint32_t i = 0; i < r->study->n_models; i++) {
        const model_spec *m = &r->study->models[i];
        if (m->id != MODEL_LKC || r->report.verdict[i].holds || m->l >= r->texts->n_quasi)
            continue;
        error_set(error, KITH_INVALID,
                  "%s: whether lkc holds depends on choices of quasi-identifiers, which cannot be "
                  "looked at with engine: sql",
                  r->study->path);
        return refuse(KITH_INVALID, error);
    }
    return KITH_OK;
}

kith_status sql_release_open(sql_release **result, const kith_table **columns,
                             const kith_study *study, const char *uri, context *c,
                             kith_error *error)
{
    const kith_table_options options = KITH_INIT(kith_table_options);
    sql_release *r = TRY_ALLOC(arena_zalloc(c->memory, 1, sizeof *r), error);
    r->study = study;
    r->context = c;
    TRY(refuse_study(study, error));
    TRY(postgres_table_open(&r->table, c->memory, uri, &options, c->run, error));
    const uint32_t n = r->table->n_columns;
    r->columns = (kith_table){.memory = c->memory, .source = r->table->shown, .n_columns = n};
    r->columns.columns = TRY_ALLOC(arena_zalloc(c->memory, n, sizeof *r->columns.columns), error);
    for (uint32_t i = 0; i < n; i++)
        r->columns.columns[i] = (column){.name = r->table->columns[i].name, .place = i};
    *columns = &r->columns;
    *result = r;
    return KITH_OK;
}

static kith_status survey(sql_release *r, kith_error *error)
{
    arena *memory = r->context->memory;
    TRY(part_texts_new(&r->texts, r->study, false, r->context, error));
    const uint32_t n = r->texts->n_columns, n_quasi = r->texts->n_quasi;
    r->at = TRY_ALLOC(arena_array(memory, n, sizeof *r->at), error);
    r->specs = TRY_ALLOC(arena_zalloc(memory, n, sizeof *r->specs), error);
    r->quasi = TRY_ALLOC(arena_array(memory, n_quasi, sizeof *r->quasi), error);
    for (uint32_t i = 0; i < n; i++) {
        r->specs[i].name = r->texts->columns[i].name;
        TRY(postgres_table_column(&r->at[i], r->table, r->specs[i].name, error));
    }
    for (uint32_t j = 0; j < n_quasi; j++)
        r->quasi[j] = j;
    TRY(visit_parts(r, false, survey_part, error));
    TRY(part_texts_finish(r->texts, error));
    return part_report_whole(&r->whole, r->texts, error);
}

/* A row for each model. */
static kith_status list_examples(verdict_rows *examples, const sql_release *r, kith_error *error)
{
    arena *memory = r->context->memory;
    const uint32_t n = r->texts->n_quasi;
    verdict_place *place = TRY_ALLOC(arena_array(memory, r->study->n_models, sizeof *place), error);
    table_builder *b;
    kith_table *made;
    TRY(table_builder_new(&b, memory, r->table->shown, r->specs, n, &r->table->options, error));
    for (uint32_t i = 0; i < r->study->n_models; i++) {
        for (uint32_t j = 0; j < n; j++) {
            const char *text = r->examples[(size_t)i * n + j];
            TRY(table_builder_cell(b, j, text, text == NULL ? 0 : strlen(text), error));
        }
        TRY(table_builder_row(b, error));
        r->report.verdict[i].row = i;
        place[i] = (verdict_place){.row = VERDICT_NOWHERE};
    }
    TRY(table_builder_finish(b, &made, error));
    *examples = (verdict_rows){made, place};
    return KITH_OK;
}

kith_status sql_release_judge(verify_report *report, verdict_rows *examples, sql_release *r,
                              kith_error *error)
{
    arena *memory = r->context->memory;
    TRY(survey(r, error));
    r->examples = TRY_ALLOC(
        arena_zalloc(memory, (size_t)r->study->n_models * r->texts->n_quasi, sizeof *r->examples),
        error);
    TRY(verify_report_none(&r->report, assess_n_verdicts(r->study), memory, error));
    TRY(visit_parts(r, true, judge_part, error));
    TRY(refuse_choices(r, error));
    TRY(list_examples(examples, r, error));
    *report = r->report;
    return KITH_OK;
}
