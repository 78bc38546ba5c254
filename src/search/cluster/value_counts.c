#include "search/cluster/value_counts.h"

#include "core/error.h"

kith_status census_init(census *s, const admit *a, arena *memory, kith_error *error)
{
    const problem *p = a->problem;
    *s = (census){.admit = a, .tightest = UINT32_MAX};
    s->offset = TRY_ALLOC(arena_zalloc(memory, p->secrets, sizeof *s->offset), error);
    s->histogram = TRY_ALLOC(arena_zalloc(memory, p->secrets, sizeof *s->histogram), error);
    for (uint32_t i = 0; i < p->secrets; i++) {
        s->offset[i] = s->values;
        s->values += a->looked_at[i] ? p->secret[i].count : 0;
    }
    return KITH_OK;
}

void census_add(const census *s, uint32_t *row, uint32_t record)
{
    const problem *p = s->admit->problem;
    for (uint32_t i = 0; i < p->secrets; i++)
        if (s->admit->looked_at[i])
            row[s->offset[i] + p->secret[i].values[record]]++;
}

void census_remove(const census *s, uint32_t *row, uint32_t record)
{
    const problem *p = s->admit->problem;
    for (uint32_t i = 0; i < p->secrets; i++)
        if (s->admit->looked_at[i])
            row[s->offset[i] + p->secret[i].values[record]]--;
}

static class_view view(const census *s, const uint32_t *row, uint32_t size)
{
    const problem *p = s->admit->problem;
    for (uint32_t i = 0; i < p->secrets; i++)
        if (s->admit->looked_at[i])
            s->histogram[i] = (histogram){row + s->offset[i], p->secret[i].count};
    return (class_view){size, s->histogram, NULL};
}

bool census_holds(const census *s, const uint32_t *row, uint32_t size)
{
    class_view class = view(s, row, size);
    for (uint32_t c = 0; c < s->admit->conditions; c++)
        if (!model_holds(s->admit->condition[c], &class))
            return false;
    return true;
}

bool census_may_leave(const census *s, uint32_t *row, uint32_t size, uint32_t record)
{
    if (size <= 1 || s->admit->conditions == 0)
        return true;
    census_remove(s, row, record);
    bool holds = census_holds(s, row, size - 1);
    census_add(s, row, record);
    return holds;
}

/* By frequencies only the record's own value can become too frequent. */
static bool stays_frequent(const census *s, const uint32_t *row, uint32_t size, uint32_t record)
{
    const problem *p = s->admit->problem;
    for (uint32_t c = 0; c < s->admit->conditions; c++) {
        const model_spec *model = s->admit->condition[c];
        uint32_t value = p->secret[model->sensitive].values[record];
        uint32_t same = row[s->offset[model->sensitive] + value] + 1;
        if ((double)(size + 1) / (double)same < model->l)
            return false;
    }
    return true;
}

bool census_may_join(const census *s, uint32_t *row, uint32_t size, uint32_t record)
{
    if (s->admit->frequencies)
        return stays_frequent(s, row, size, record);
    census_add(s, row, record);
    bool holds = census_holds(s, row, size + 1);
    census_remove(s, row, record);
    return holds;
}

bool census_fits(const census *s, const uint32_t *row, uint32_t size)
{
    const problem *p = s->admit->problem;
    for (uint32_t i = 0; i < p->secrets; i++) {
        uint64_t total = 0;
        for (uint32_t v = 0; s->admit->looked_at[i] && v < p->secret[i].count; v++)
            total += row[s->offset[i] + v];
        if (s->admit->looked_at[i] && total != size)
            return false;
    }
    return true;
}

kith_status census_weigh(census *s, const uint32_t *row, uint32_t size, kith_error *error)
{
    class_view all = view(s, row, size);
    for (uint32_t c = 0; c < s->admit->conditions; c++) {
        const model_spec *model = s->admit->condition[c];
        model_finding f = model_judge(model, &all);
        if (!f.holds)
            return error_set(error, KITH_INFEASIBLE,
                             "%s asks for %s of at %s %g, but all records together have %g",
                             model_name(model->id), f.quantity, f.at_most ? "most" : "least",
                             f.needed, f.found);
    }
    s->tightest = admit_tightest_of(s->admit, &all);
    return KITH_OK;
}
