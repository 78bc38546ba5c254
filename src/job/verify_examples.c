#include "job/verify_examples.h"

#include <string.h>

#include "core/crew.h"
#include "core/error.h"

/* Classes by all quasi-identifiers that are good suffice for lkc. If they are not, it is the
 * classes by fewer of them that decide, and these are not complete on any rank. */
static kith_status check_decided(const verify_report *report, const kith_study *study,
                                 uint32_t n_quasi, kith_error *error)
{
    for (uint32_t i = 0; i < study->n_models; i++) {
        const model_spec *m = &study->models[i];
        if (m->id == MODEL_LKC && !report->verdict[i].holds && m->l < n_quasi)
            return error_hint(error,
                              error_set(error, KITH_INVALID,
                                        "%s: whether %s holds cannot be decided over ranks",
                                        study->path, model_name(m->id)),
                              "start one process, without ranks");
    }
    return KITH_OK;
}

/* The first wrong row is that of the lowest rank: their rows follow each other. */
static kith_status unite_levels(levels_report *levels, uint64_t first_row, context *c,
                                kith_error *error)
{
    levels_report own = *levels, one;
    crew_bytes *all = TRY_ALLOC(arena_array(c->memory, crew_size(c->crew), sizeof *all), error);
    if (!own.holds)
        own.row += (uint32_t)first_row;
    TRY(crew_gather(c->crew, &own, sizeof own, all, c->memory, error));
    *levels = (levels_report){.holds = true};
    for (uint32_t r = 0; r < crew_size(c->crew); r++) {
        memcpy(&one, all[r].bytes, sizeof one);
        one.n_wrong_rows += levels->n_wrong_rows;
        if (levels->holds)
            *levels = one;
        levels->n_wrong_rows = one.n_wrong_rows;
    }
    return KITH_OK;
}

/* The quasi-identifiers of a release, as columns of a table with this number of rows. */
static kith_status make_columns(kith_table *shown, uint32_t n_rows, const kith_study *study,
                                const kith_table *own, arena *memory, kith_error *error)
{
    *shown = (kith_table){.source = own->source, .n_rows = n_rows};
    shown->columns = TRY_ALLOC(arena_array(memory, own->n_columns, sizeof *shown->columns), error);
    for (uint32_t i = 0; i < study->n_columns; i++) {
        if (study->columns[i].role != ROLE_QUASI_IDENTIFYING)
            continue;
        column *to = &shown->columns[shown->n_columns++];
        *to = own->columns[table_find(own, study->columns[i].name)];
        to->codes = TRY_ALLOC(arena_array(memory, n_rows, sizeof *to->codes), error);
    }
    return KITH_OK;
}

/* The rank that has a row tells the others its cells and its line. */
static kith_status tell(verdict_place *place, const kith_table *shown, const kith_table *own,
                        uint64_t first_row, context *c, kith_error *error)
{
    const size_t n = shown->n_columns + (size_t)1;
    uint64_t *told = TRY_ALLOC(arena_zalloc(c->memory, shown->n_rows, n * sizeof *told), error);
    for (uint32_t i = 0; i < shown->n_rows; i++) {
        const uint64_t row = place[i].row - first_row; /* large, if it is before or nowhere */
        if (row >= own->n_rows)
            continue;
        for (uint32_t j = 0; j < shown->n_columns; j++)
            told[i * n + j] = own->columns[table_find(own, shown->columns[j].name)].codes[row];
        told[i * n + shown->n_columns] = table_source_line(own, (uint32_t)row);
    }
    TRY(crew_sum(c->crew, told, shown->n_rows * n, error));
    for (uint32_t i = 0; i < shown->n_rows; i++) {
        for (uint32_t j = 0; j < shown->n_columns; j++)
            shown->columns[j].codes[i] = (uint32_t)told[i * n + j];
        place[i].line = told[i * n + n - 1];
    }
    return KITH_OK;
}

/* One row for each model, and one for the levels. */
kith_status verify_examples(verdict_rows *examples, verify_report *report, levels_report *levels,
                            const kith_study *study, const kith_table *own, uint64_t first_row,
                            context *c, kith_error *error)
{
    *examples = (verdict_rows){own, NULL};
    if (crew_size(c->crew) == 1)
        return KITH_OK;
    const uint32_t n_models = study->n_models;
    kith_table *shown = TRY_ALLOC(arena_alloc(c->memory, sizeof *shown), error);
    verdict_place *place =
        TRY_ALLOC(arena_array(c->memory, n_models + (size_t)1, sizeof *place), error);
    TRY(make_columns(shown, n_models + 1, study, own, c->memory, error));
    TRY(check_decided(report, study, shown->n_columns, error));
    TRY(unite_levels(levels, first_row, c, error));
    for (uint32_t i = 0; i < n_models; i++) {
        verify_verdict *v = &report->verdict[i];
        place[i].row = v->holds ? VERDICT_NOWHERE : v->row;
        v->row = i;
    }
    place[n_models].row = levels->holds ? VERDICT_NOWHERE : levels->row;
    levels->row = n_models;
    TRY(tell(place, shown, own, first_row, c, error));
    *examples = (verdict_rows){shown, place};
    return KITH_OK;
}
