#include "search/lattice/monotone_models.h"

#include "core/error.h"

kith_status monotone_models_init(monotone_models *j, const problem *p, arena *memory,
                                 kith_error *error)
{
    *j = (monotone_models){
        .problem = p, .monotone = true, .closures = models_need_closure(p->models, p->n_models)};
    j->only_units = j->part_units = p->unit != NULL;
    j->in_part = TRY_ALLOC(arena_array(memory, p->n_models, sizeof *j->in_part), error);
    for (uint32_t m = 0; m < p->n_models; m++) {
        j->in_part[m] = model_monotone(&p->models[m], p->may_suppress > 0);
        j->monotone = j->monotone && j->in_part[m];
        j->values = j->values || model_looks_at_values(&p->models[m]);
        j->only_units = j->only_units && p->models[m].id == MODEL_K_ANONYMITY;
        if (j->in_part[m] && p->models[m].id != MODEL_K_ANONYMITY)
            j->part_units = false;
        else if (j->in_part[m] && p->models[m].k > j->part_k)
            j->part_k = p->models[m].k;
    }
    j->values = j->values || (p->unit != NULL && !j->only_units);
    return KITH_OK;
}

model_verdict monotone_models_judge(const monotone_models *j, const class_view *view)
{
    const problem *p = j->problem;
    model_verdict v = {true, true};
    /* Models outside the monotone part are asked only while `holds` is open. */
    for (uint32_t m = 0; m < p->n_models && v.part_holds; m++)
        if ((v.holds || j->in_part[m]) && !model_holds(&p->models[m], view)) {
            v.holds = false;
            v.part_holds = !j->in_part[m];
        }
    return v;
}
