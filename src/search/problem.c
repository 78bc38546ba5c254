#include "search/problem.h"

/* A copy of the values that the records have. */
static kith_status take_values(const uint32_t **taken, const uint32_t *values,
                               const uint32_t *records, uint32_t n, arena *memory,
                               kith_error *error)
{
    uint32_t *copy = TRY_ARRAY(copy, memory, n, error);
    for (uint32_t i = 0; i < n; i++)
        copy[i] = values[records[i]];
    *taken = copy;
    return KITH_OK;
}

kith_status problem_take(problem *part, attribute **attributes, const problem *p,
                         const uint32_t *records, uint32_t n, arena *memory, kith_error *error)
{
    attribute *own = TRY_ARRAY(own, memory, p->n_attributes, error);
    sensitive_attribute *sensitive = TRY_ARRAY(sensitive, memory, p->n_sensitive, error);
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        own[j] = p->attributes[j];
        TRY(take_values(&own[j].cells, p->attributes[j].cells, records, n, memory, error));
    }
    for (uint32_t s = 0; s < p->n_sensitive; s++) {
        sensitive[s] = p->sensitive[s];
        TRY(take_values(&sensitive[s].values, p->sensitive[s].values, records, n, memory, error));
        if (p->sensitive[s].pair != NULL)
            TRY(take_values(&sensitive[s].pair, p->sensitive[s].pair, records, n, memory, error));
    }
    *part = *p;
    if (p->unit != NULL)
        TRY(take_values(&part->unit, p->unit, records, n, memory, error));
    part->n_records = n;
    part->attributes = *attributes = own;
    part->sensitive = sensitive;
    return KITH_OK;
}
