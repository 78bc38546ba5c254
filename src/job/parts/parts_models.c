#include "job/parts/parts_models.h"

#include "core/crew.h"
#include "core/error.h"
#include "job/parts/part_report.h"
#include "job/parts/part_suppressed.h"
#include "job/parts/part_tables.h"

/* The rows of one rank. */
typedef struct own_rows {
    const kith_study *study;
    const kith_table *rows;
    uint64_t first_row;
    part_texts *texts;
    assess_whole whole;
} own_rows;

static kith_status survey(own_rows *o, context *c, kith_error *error)
{
    TRY(part_texts_new(&o->texts, o->study, false, c, error));
    TRY(part_texts_survey(o->texts, o->rows, error));
    TRY(part_texts_finish(o->texts, error));
    TRY(part_report_whole(&o->whole, o->texts, error));
    return part_suppressed_find(&o->whole, o->texts, o->study, NULL, o->rows, c, error);
}

/* Judges the classes that come to this rank. Verdicts then name rows of the whole release. */
static kith_status judge(verify_report *report, const own_rows *o, context *c, kith_error *error)
{
    kith_table complete;
    part_number numbers = {.limit = (uint32_t)o->whole.n_rows};
    numbers.of_row =
        TRY_ALLOC(arena_array(c->memory, o->rows->n_rows, sizeof *numbers.of_row), error);
    for (uint32_t row = 0; row < o->rows->n_rows; row++)
        numbers.of_row[row] = (uint32_t)(o->first_row + row);
    TRY(part_tables_exchange(&complete, &numbers, o->texts, o->rows, c->memory, error));
    TRY(assess_models_of_part(report, o->study, &o->whole, &complete, c, error));
    for (uint32_t i = 0; i < o->study->n_models; i++)
        if (report->verdict[i].judged)
            report->verdict[i].row = numbers.of_row[report->verdict[i].row];
    return KITH_OK;
}

/* Classes by all quasi-identifiers that are good suffice for lkc. If they are not, it is the
 * classes by fewer of them that decide, and these are not complete on any rank. */
static kith_status check_decided(const verify_report *report, const own_rows *o, kith_error *error)
{
    for (uint32_t i = 0; i < o->study->n_models; i++) {
        const model_spec *m = &o->study->models[i];
        if (m->id == MODEL_LKC && !report->verdict[i].holds && m->l < o->texts->n_quasi)
            return error_hint(error,
                              error_set(error, KITH_INVALID,
                                        "%s: whether %s holds cannot be decided over ranks",
                                        o->study->path, model_name(m->id)),
                              "start one process, without ranks");
    }
    return KITH_OK;
}

/* Judges them with memory that is given back; all ranks' verdicts together. */
static kith_status judge_all(verify_report *report, own_rows *o, context *c, kith_error *error)
{
    verify_report own;
    context scratch = *c;
    scratch.memory = TRY_ALLOC(arena_new_like(c->memory), error);
    kith_status status = judge(&own, o, &scratch, error);
    if (status == KITH_OK) {
        *report = own;
        status = part_report_unite(report, o->study, c, error);
    }
    arena_free(scratch.memory);
    return status;
}

/* The rank that has the row of a verdict tells the others its cells, as codes of the whole, and its
 * line. */
static void tell(uint64_t *to, uint32_t row, const own_rows *o)
{
    const uint32_t n = o->texts->n_quasi;
    for (uint32_t j = 0; j < n; j++) {
        const part_texts_column *all = &o->texts->columns[j];
        const column *own = &o->rows->columns[table_find(o->rows, all->name)];
        const uint32_t code = own->codes[row];
        to[j] = code == TABLE_MISSING
                    ? TABLE_MISSING
                    : dictionary_find(&all->values, NULL, dictionary_text(&own->values, code));
    }
    to[n] = table_source_line(o->rows, row);
}

/* A table whose row i is an example for model i, if that does not hold. */
static kith_status show_examples(verdict_rows *examples, verify_report *report, const own_rows *o,
                                 context *c, kith_error *error)
{
    const uint32_t n_models = o->study->n_models, n = o->texts->n_quasi;
    const size_t n_told = (size_t)n_models * (n + 1);
    kith_table *shown = TRY_ALLOC(arena_zalloc(c->memory, 1, sizeof *shown), error);
    verdict_place *place = TRY_ALLOC(arena_array(c->memory, n_models, sizeof *place), error);
    uint64_t *told = TRY_ALLOC(arena_zalloc(c->memory, n_told, sizeof *told), error);
    for (uint32_t i = 0; i < n_models; i++) {
        const uint64_t row = report->verdict[i].row - o->first_row; /* large, if it is before */
        if (!report->verdict[i].holds && row < o->rows->n_rows)
            tell(told + (size_t)i * (n + 1), (uint32_t)row, o);
    }
    TRY(crew_sum(c->crew, told, n_told, error));
    *shown = (kith_table){.source = o->rows->source, .n_rows = n_models, .n_columns = n};
    shown->columns = TRY_ALLOC(arena_zalloc(c->memory, n, sizeof *shown->columns), error);
    for (uint32_t j = 0; j < n; j++) {
        const part_texts_column *of = &o->texts->columns[j];
        uint32_t *codes = TRY_ALLOC(arena_array(c->memory, n_models, sizeof *codes), error);
        for (uint32_t i = 0; i < n_models; i++)
            codes[i] = (uint32_t)told[(size_t)i * (n + 1) + j];
        shown->columns[j] = (column){.name = of->name, .values = of->values, .codes = codes};
    }
    for (uint32_t i = 0; i < n_models; i++) {
        place[i] = (verdict_place){report->verdict[i].row, told[(size_t)i * (n + 1) + n]};
        report->verdict[i].row = i;
    }
    *examples = (verdict_rows){shown, place};
    return KITH_OK;
}

kith_status parts_models(verify_report *report, verdict_rows *examples, const kith_study *study,
                         const kith_table *own, uint64_t first_row, context *c, kith_error *error)
{
    own_rows o = {.study = study, .rows = own, .first_row = first_row};
    TRY(assess_judges_parts(study, error));
    TRY(survey(&o, c, error));
    TRY(judge_all(report, &o, c, error));
    TRY(check_decided(report, &o, error));
    return show_examples(examples, report, &o, c, error);
}
