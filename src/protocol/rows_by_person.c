#include "protocol/rows_by_person.h"

#include "core/error.h"

kith_status rows_by_person_sort(rows_by_person *sorted, const rows_task *task, kith_error *error)
{
    const problem *p = task->mine;
    *sorted = (rows_by_person){.task = *task, .mine = *p};
    if (p->unit == NULL)
        return KITH_OK;
    arena *memory = task->context->memory;
    attribute *attributes;
    uint32_t *place = TRY_ZEROS(place, memory, p->n_units + (size_t)1, error);
    sorted->order = TRY_ARRAY(sorted->order, memory, p->n_records, error);
    for (uint32_t i = 0; i < p->n_records; i++)
        place[p->unit[i] + 1]++;
    for (uint32_t u = 0; u < p->n_units; u++)
        place[u + 1] += place[u];
    for (uint32_t i = 0; i < p->n_records; i++)
        sorted->order[place[p->unit[i]]++] = i;
    TRY(problem_take(&sorted->mine, &attributes, p, sorted->order, p->n_records, memory, error));
    sorted->task.mine = &sorted->mine;
    return KITH_OK;
}

kith_status rows_by_person_restore(rows_result *result, const rows_by_person *sorted,
                                   kith_error *error)
{
    const uint32_t n = sorted->mine.n_records;
    if (sorted->order == NULL)
        return KITH_OK;
    uint32_t *class_of = TRY_ARRAY(class_of, sorted->task.context->memory, n, error);
    for (uint32_t i = 0; i < n; i++)
        class_of[sorted->order[i]] = result->class_of[i];
    result->class_of = class_of;
    return KITH_OK;
}
