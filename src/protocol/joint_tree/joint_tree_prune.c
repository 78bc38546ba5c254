#include "protocol/joint_tree/joint_tree_steps.h"

#include <math.h>

#include "core/error.h"
#include "smc/compare/logic.h"

/* Raises the cells of one attribute to the lowest node that at least l parties have. The root is
 * never forbidden. */
static kith_status prune(joint_tree *j, const model_spec *model, uint32_t a, kith_error *error)
{
    const tree *t = j->problem->attributes[a].tree;
    const uint32_t n_records = j->problem->n_records;
    uint64_t *bits = TRY_ALLOC(arena_zalloc(j->memory, smc_words(t->n_nodes), sizeof *bits), error);
    uint32_t *raised = TRY_ALLOC(arena_array(j->memory, n_records, sizeof *raised), error);
    j->forbidden[a] = TRY_ALLOC(arena_zalloc(j->memory, t->n_nodes, 1), error);
    /* The bits of all nodes that have a record of mine below them. */
    for (uint32_t i = 0; i < n_records; i++)
        for (uint32_t node = j->cells[a][i]; smc_bit(bits, node) == 0; node = t->parent[node])
            smc_set_bit(bits, node, 1);
    const uint32_t root = tree_root(t);
    /* message 3 */
    TRY(logic_threshold(j->party, bits, bits, root, (uint32_t)ceil(model->l), SMC_ALL, error));
    for (uint32_t node = 0; node < root; node++)
        j->forbidden[a][node] = !smc_bit(bits, node);
    for (uint32_t i = 0; i < n_records; i++)
        for (raised[i] = j->cells[a][i]; j->forbidden[a][raised[i]];)
            raised[i] = t->parent[raised[i]];
    j->cells[a] = raised;
    return KITH_OK;
}

kith_status joint_tree_prune(joint_tree *j, const protocol_options *o, kith_error *error)
{
    for (uint32_t m = 0; m < o->n_site_models; m++) {
        const model_spec *model = &o->site_models[m];
        if (model->id != MODEL_L_SITE_DIVERSITY || model->variant != VARIANT_ATTRIBUTES)
            continue;
        if (model->l > party_count(j->party))
            return error_set(error, KITH_INFEASIBLE,
                             "%s with l = %g cannot be met: there are %u sites",
                             model_name(model->id), model->l, party_count(j->party));
        for (uint32_t i = 0; i < model->n_values; i++)
            TRY(prune(j, model, model->among[i], error));
    }
    return KITH_OK;
}
