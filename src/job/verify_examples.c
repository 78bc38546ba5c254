#include "job/verify_examples.h"

#include <string.h>

#include "core/crew.h"
#include "core/error.h"
#include "job/share/share_tell.h"

/* Classes by all quasi-identifiers that are good suffice for lkc. If they are not, it is the
 * classes by fewer of them that decide, and these are not complete on any rank. */
kith_status verify_decided(const verify_report *report, const kith_study *study, kith_error *error)
{
    uint32_t n_quasi = 0;
    for (uint32_t i = 0; i < study->n_columns; i++)
        n_quasi += study->columns[i].role == ROLE_QUASI_IDENTIFYING;
    for (uint32_t i = 0; i < study->n_models; i++) {
        const model_spec *m = &study->models[i];
        if (m->id == MODEL_LKC && !report->verdict[i].holds && m->l < n_quasi)
            return error_hint(error,
                              error_set(error, KITH_INVALID,
                                        "%s: whether %s holds cannot be decided over ranks or "
                                        "from the disk",
                                        study->path, model_name(m->id)),
                              "start one process with more memory");
    }
    return KITH_OK;
}

/* The first wrong row is that of the lowest rank: their rows follow each other. */
static kith_status unite_levels(levels_report *levels, uint64_t first_row, context *c,
                                kith_error *error)
{
    levels_report own = *levels, one;
    crew_bytes *all = TRY_ARRAY(all, c->memory, crew_size(c->crew), error);
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

/* One row for each model, and one for the levels. */
kith_status verify_examples(verdict_rows *examples, verify_report *report, levels_report *levels,
                            const kith_study *study, const kith_table *own, uint64_t first_row,
                            context *c, kith_error *error)
{
    *examples = (verdict_rows){own, NULL};
    if (crew_size(c->crew) == 1)
        return KITH_OK;
    const uint32_t n_models = study->n_models;
    verdict_place *place = TRY_ARRAY(place, c->memory, n_models + (size_t)1, error);
    TRY(verify_decided(report, study, error));
    TRY(unite_levels(levels, first_row, c, error));
    for (uint32_t i = 0; i < n_models; i++) {
        verify_verdict *v = &report->verdict[i];
        place[i].row = v->holds ? VERDICT_NOWHERE : v->row;
        v->row = i;
    }
    place[n_models].row = levels->holds ? VERDICT_NOWHERE : levels->row;
    levels->row = n_models;
    return share_tell(examples, place, n_models + 1, own, first_row, c, error);
}
