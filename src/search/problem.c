#include "search/problem.h"

uint32_t problem_n_columns(const problem *p)
{
    return p->n_attributes + p->n_sensitive + (p->unit == NULL ? 0 : 1 + p->n_sensitive);
}

const uint32_t *problem_column(const problem *p, uint32_t column, uint32_t *n_codes)
{
    if (column < p->n_attributes) {
        *n_codes = p->attributes[column].tree->n_nodes;
        return p->attributes[column].cells;
    }
    column -= p->n_attributes;
    if (column < p->n_sensitive) {
        *n_codes = p->sensitive[column].count;
        return p->sensitive[column].values;
    }
    column -= p->n_sensitive;
    if (column == 0) {
        *n_codes = p->n_units;
        return p->unit;
    }
    *n_codes = p->sensitive[column - 1].n_pairs;
    return p->sensitive[column - 1].pair;
}

kith_status problem_with(problem *to, attribute **attributes, sensitive_attribute **sensitive,
                         const problem *p, uint32_t *const *columns, uint32_t n, arena *memory,
                         kith_error *error)
{
    const uint32_t behind = p->n_attributes + p->n_sensitive;
    *attributes = TRY_ARRAY(*attributes, memory, p->n_attributes, error);
    *sensitive = TRY_ARRAY(*sensitive, memory, p->n_sensitive, error);
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        (*attributes)[j] = p->attributes[j];
        (*attributes)[j].cells = columns[j];
    }
    for (uint32_t s = 0; s < p->n_sensitive; s++) {
        (*sensitive)[s] = p->sensitive[s];
        (*sensitive)[s].values = columns[p->n_attributes + s];
        (*sensitive)[s].pair = p->unit == NULL ? NULL : columns[behind + 1 + s];
    }
    *to = *p;
    to->n_records = n;
    to->attributes = *attributes;
    to->sensitive = *sensitive;
    to->unit = p->unit == NULL ? NULL : columns[behind];
    return KITH_OK;
}

kith_status problem_take(problem *part, attribute **attributes, const problem *p,
                         const uint32_t *records, uint32_t n, arena *memory, kith_error *error)
{
    sensitive_attribute *sensitive;
    const uint32_t n_columns = problem_n_columns(p);
    uint32_t n_codes, **columns = TRY_ARRAY(columns, memory, n_columns, error);
    for (uint32_t i = 0; i < n_columns; i++) {
        const uint32_t *all = problem_column(p, i, &n_codes);
        columns[i] = NULL;
        if (all == NULL) /* tables without pairs of units and values: not all models need them */
            continue;
        columns[i] = TRY_ARRAY(columns[i], memory, n, error);
        for (uint32_t r = 0; r < n; r++)
            columns[i][r] = all[records[r]];
    }
    return problem_with(part, attributes, &sensitive, p, columns, n, memory, error);
}
