#include "protocol/joint_tree/joint_tree_prune.h"

#include <math.h>

#include "core/error.h"
#include "smc/logic.h"

/* Nodes that have a record of mine below them. */
static void mark_mine(const joint_tree *f, uint32_t a, uint64_t *mine)
{
    const tree *t = f->problem->attributes[a].tree;
    for (uint32_t i = 0; i < f->problem->n_records; i++)
        for (uint32_t node = f->cells[a][i]; smc_bit(mine, node) == 0; node = t->parent[node])
            smc_set_bit(mine, node, 1);
}

static kith_status prune(joint_tree *f, const model_spec *model, uint32_t a, kith_error *error)
{
    const tree *t = f->problem->attributes[a].tree;
    const uint32_t n_records = f->problem->n_records;
    uint64_t *bits = TRY_ALLOC(arena_zalloc(f->memory, smc_words(t->n_nodes), sizeof *bits), error);
    uint32_t *raised = TRY_ALLOC(arena_array(f->memory, n_records, sizeof *raised), error);
    f->forbidden[a] = TRY_ALLOC(arena_zalloc(f->memory, t->n_nodes, 1), error);
    mark_mine(f, a, bits);
    const uint32_t root = tree_root(t);
    TRY(logic_threshold(f->party, bits, bits, root, (uint32_t)ceil(model->l), SMC_ALL, error));
    for (uint32_t node = 0; node < root; node++)
        f->forbidden[a][node] = !smc_bit(bits, node);
    for (uint32_t i = 0; i < n_records; i++)
        for (raised[i] = f->cells[a][i]; f->forbidden[a][raised[i]];)
            raised[i] = t->parent[raised[i]];
    f->cells[a] = raised;
    return KITH_OK;
}

kith_status joint_tree_prune(joint_tree *f, const protocol_options *o, kith_error *error)
{
    for (uint32_t m = 0; m < o->n_site_models; m++) {
        const model_spec *model = &o->site_models[m];
        if (model->id != MODEL_L_SITE_DIVERSITY || model->variant != VARIANT_ATTRIBUTES)
            continue;
        if (model->l > party_count(f->party))
            return error_set(error, KITH_INFEASIBLE,
                             "%s with l = %g cannot be met: there are %u sites",
                             model_name(model->id), model->l, party_count(f->party));
        for (uint32_t i = 0; i < model->n_values; i++)
            TRY(prune(f, model, model->among[i], error));
    }
    return KITH_OK;
}
