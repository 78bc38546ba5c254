#include "search/lattice/monotone_models.h"

#include "core/error.h"

kith_status judging_init(judging *j, const problem *p, arena *memory, kith_error *error)
{
    *j = (judging){
        .problem = p, .monotone = true, .closures = models_need_closure(p->model, p->models)};
    j->in_part = TRY_ALLOC(arena_array(memory, p->models, sizeof *j->in_part), error);
    for (uint32_t m = 0; m < p->models; m++) {
        j->in_part[m] = model_monotone(&p->model[m], p->may_suppress > 0);
        j->monotone = j->monotone && j->in_part[m];
        j->values = j->values || model_looks_at_values(&p->model[m]);
    }
    return KITH_OK;
}

verdict judging_class(const judging *j, const class_view *view)
{
    const problem *p = j->problem;
    verdict v = {true, true};
    for (uint32_t m = 0; m < p->models && v.part_holds; m++)
        if ((v.holds || j->in_part[m]) && !model_holds(&p->model[m], view)) {
            v.holds = false;
            v.part_holds = !j->in_part[m];
        }
    return v;
}
