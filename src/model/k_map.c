/* k-map: at least k people of a population look like the records of a class. */
#include "model/criteria.h"

static bool covers(const population *p, const uint32_t *closure, uint32_t row)
{
    const uint32_t *cells = p->cells + (uint64_t)row * p->attributes;
    for (uint32_t j = 0; j < p->attributes; j++)
        if (!tree_covers(p->tree[j], closure[j], cells[j]))
            return false;
    return true;
}

uint64_t population_covered(const population *p, const uint32_t *closure)
{
    uint64_t people = 0;
    for (uint32_t row = 0; row < p->rows; row++)
        if (covers(p, closure, row))
            people += p->weight[row];
    return people;
}

model_finding k_map_judge(const model_spec *model, const class_view *view)
{
    uint64_t people = population_covered(model->facts->population, view->closure);
    return criteria_at_least("people of the population", (double)people, model->k);
}
