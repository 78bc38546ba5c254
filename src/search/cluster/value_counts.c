#include "search/cluster/value_counts.h"

#include "core/check.h"
#include "core/error.h"

kith_status value_counts_init(value_counts *s, const class_rules *a, arena *memory,
                              kith_error *error)
{
    const problem *p = a->problem;
    *s = (value_counts){.rules = a, .tightest = UINT32_MAX};
    s->offset = TRY_ZEROS(s->offset, memory, p->n_sensitive, error);
    s->histogram = TRY_ZEROS(s->histogram, memory, p->n_sensitive, error);
    for (uint32_t i = 0; i < p->n_sensitive; i++) {
        s->offset[i] = s->n_values;
        s->n_values += a->uses_sensitive[i] ? p->sensitive[i].count : 0;
    }
    return KITH_OK;
}

void value_counts_add(const value_counts *s, uint32_t *row, uint32_t record)
{
    const problem *p = s->rules->problem;
    for (uint32_t i = 0; i < p->n_sensitive; i++)
        if (s->rules->uses_sensitive[i])
            row[s->offset[i] + p->sensitive[i].values[record]]++;
}

void value_counts_remove(const value_counts *s, uint32_t *row, uint32_t record)
{
    const problem *p = s->rules->problem;
    for (uint32_t i = 0; i < p->n_sensitive; i++)
        if (s->rules->uses_sensitive[i]) {
            uint32_t *count = &row[s->offset[i] + p->sensitive[i].values[record]];
            ASSERT(*count > 0);
            --*count;
        }
}

/* The counts of a row in the form that models look at; valid until the next call. */
static class_view view(const value_counts *s, const uint32_t *row, uint32_t size)
{
    const problem *p = s->rules->problem;
    for (uint32_t i = 0; i < p->n_sensitive; i++)
        if (s->rules->uses_sensitive[i])
            s->histogram[i] = (histogram){row + s->offset[i], p->sensitive[i].count};
    return (class_view){.size = size, .sensitive = s->histogram};
}

bool value_counts_hold(const value_counts *s, const uint32_t *row, uint32_t size)
{
    class_view class = view(s, row, size);
    for (uint32_t c = 0; c < s->rules->n_conditions; c++)
        if (!model_holds(s->rules->conditions[c], &class))
            return false;
    return true;
}

bool value_counts_may_leave(const value_counts *s, uint32_t *row, uint32_t size, uint32_t record)
{
    if (size <= 1 || s->rules->n_conditions == 0)
        return true; /* the class vanishes with its last record */
    value_counts_remove(s, row, record);
    bool holds = value_counts_hold(s, row, size - 1);
    value_counts_add(s, row, record);
    return holds;
}

bool value_counts_may_join(const value_counts *s, uint32_t *row, uint32_t size, uint32_t record)
{
    if (s->rules->frequencies) {
        /* If all models limit frequencies, only the record's own value can become too frequent. */
        const problem *p = s->rules->problem;
        for (uint32_t c = 0; c < s->rules->n_conditions; c++) {
            const model_spec *model = s->rules->conditions[c];
            uint32_t value = p->sensitive[model->sensitive].values[record];
            uint32_t same = row[s->offset[model->sensitive] + value] + 1;
            if ((double)(size + 1) / (double)same < model->l)
                return false;
        }
        return true;
    }
    value_counts_add(s, row, record);
    bool holds = value_counts_hold(s, row, size + 1);
    value_counts_remove(s, row, record);
    return holds;
}

bool value_counts_add_up(const value_counts *s, const uint32_t *row, uint32_t size)
{
    const problem *p = s->rules->problem;
    for (uint32_t i = 0; i < p->n_sensitive; i++) {
        uint64_t total = 0;
        for (uint32_t v = 0; s->rules->uses_sensitive[i] && v < p->sensitive[i].count; v++)
            total += row[s->offset[i] + v];
        if (s->rules->uses_sensitive[i] && total != size)
            return false;
    }
    return true;
}

bool value_counts_contain(const value_counts *s, uint32_t *row, const uint32_t *records,
                          uint32_t count)
{
    const problem *p = s->rules->problem;
    uint32_t removed = 0;
    bool contained = true;
    while (removed < count && contained) {
        for (uint32_t i = 0; i < p->n_sensitive && contained; i++)
            contained = !s->rules->uses_sensitive[i] ||
                        row[s->offset[i] + p->sensitive[i].values[records[removed]]] > 0;
        if (contained)
            value_counts_remove(s, row, records[removed++]);
    }
    while (removed > 0)
        value_counts_add(s, row, records[--removed]);
    return contained;
}

kith_status value_counts_find_tightest(value_counts *s, const uint32_t *row, uint32_t size,
                                       kith_error *error)
{
    class_view all = view(s, row, size);
    for (uint32_t c = 0; c < s->rules->n_conditions; c++) {
        const model_spec *model = s->rules->conditions[c];
        model_finding f = model_judge(model, &all);
        if (!f.holds)
            return error_set(error, KITH_INFEASIBLE,
                             "%s asks for %s of at %s %g, but all records together have %g",
                             model_name(model->id), f.quantity, f.at_most ? "most" : "least",
                             f.needed, f.found);
    }
    s->tightest = class_rules_tightest_of(s->rules, &all);
    return KITH_OK;
}
