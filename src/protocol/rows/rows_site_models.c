#include "protocol/rows/rows_site_models.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "smc/compare/logic.h"
#include "smc/sums/sum.h"

static bool by_attributes(const model_spec *model)
{
    return model->id == MODEL_L_SITE_DIVERSITY && model->variant == VARIANT_ATTRIBUTES;
}

/* --- before: prune the hierarchies --- */

/* Replaces my cells in attribute j by their lowest ancestors that remain. */
static kith_status raise_cells(rows_state *v, uint32_t j, const uint64_t *enough,
                               const uint64_t *some, attribute *raised, kith_error *error)
{
    const attribute *a = &v->mine->attributes[j];
    bool *open = TRY_ALLOC(arena_array(v->memory, a->tree->n_nodes, sizeof *open), error);
    uint32_t *cells = TRY_ALLOC(arena_array(v->memory, v->mine->n_records, sizeof *cells), error);
    /* A node is open if its children remain: none of them has records of some, but too few, sites.
     */
    for (uint32_t node = 0; node < a->tree->n_nodes; node++)
        open[node] = true;
    for (uint32_t node = 0; node + 1 < a->tree->n_nodes; node++)
        if (smc_bit(some, node) && !smc_bit(enough, node))
            open[a->tree->parent[node]] = false;
    for (uint32_t i = 0; i < v->mine->n_records; i++) {
        /* The highest ancestor that is not open is the lowest that is shown. */
        uint32_t shown = a->cells[i];
        for (uint32_t node = a->cells[i]; node != tree_root(a->tree); node = a->tree->parent[node])
            if (!open[a->tree->parent[node]])
                shown = a->tree->parent[node];
        cells[i] = shown;
    }
    raised->cells = cells;
    return KITH_OK;
}

/* All parties learn which nodes of attribute j have records of enough sites, and of some. */
static kith_status prune(rows_state *v, uint32_t j, uint32_t l, attribute *raised,
                         kith_error *error)
{
    const attribute *a = &v->mine->attributes[j];
    uint32_t n_nodes = a->tree->n_nodes;
    uint64_t *some = TRY_ALLOC(arena_zalloc(v->memory, smc_words(n_nodes), sizeof *some), error);
    uint64_t *enough = TRY_ZEROS(enough, v->memory, smc_words(n_nodes), error);
    /* The bits of the nodes that have a record of mine below them. */
    for (uint32_t i = 0; i < v->mine->n_records; i++)
        for (uint32_t node = a->cells[i];; node = a->tree->parent[node]) {
            smc_set_bit(some, node, 1);
            if (node == tree_root(a->tree))
                break;
        }
    TRY(logic_threshold(v->p, enough, some, n_nodes, l, SMC_ALL, error)); /* message 3 */
    TRY(logic_or(v->p, some, some, n_nodes, SMC_ALL, error));             /* message 3 */
    return raise_cells(v, j, enough, some, raised, error);
}

/* Prunes the hierarchies that a model names. Later steps see a problem with raised cells only. */
static kith_status prune_for(rows_state *v, const model_spec *model, kith_error *error)
{
    uint32_t l = (uint32_t)ceil(model->l);
    problem *pruned = TRY_ALLOC(arena_alloc(v->memory, sizeof *pruned), error);
    attribute *list = TRY_ALLOC(arena_array(v->memory, v->mine->n_attributes, sizeof *list), error);
    uint64_t n_holders = v->mine->n_records > 0;
    TRY(sum_masked(v->p, &n_holders, &n_holders, 1, 0, SMC_ALL, error)); /* message 2 */
    if (n_holders < l)
        return error_set(error, KITH_INFEASIBLE,
                         "l-site-diversity asks for %u sites, but only %llu have records", l,
                         (unsigned long long)n_holders);
    *pruned = *v->mine;
    memcpy(list, v->mine->attributes, v->mine->n_attributes * sizeof *list);
    for (uint32_t i = 0; i < model->n_values; i++)
        TRY(prune(v, model->among[i], l, &list[model->among[i]], error));
    pruned->attributes = list;
    v->mine = pruned;
    return KITH_OK;
}

kith_status rows_site_models_prune(rows_state *v, kith_error *error)
{
    const protocol_options *o = v->task->options;
    for (uint32_t m = 0; m < o->n_site_models; m++) {
        const model_spec *model = &o->site_models[m];
        if (!by_attributes(model))
            continue;
        for (uint32_t i = 0; i < model->n_values; i++)
            if (model->among == NULL || model->among[i] >= v->mine->n_attributes)
                return error_set(error, KITH_INVALID, "l-site-diversity names no attribute");
        TRY(prune_for(v, model, error));
    }
    return KITH_OK;
}

/* --- after: raise combinations --- */

/* Do I have records below each of the nodes of a class? They need not be the same for all nodes. */
static bool supports(const rows_state *v, const model_spec *model, const uint32_t *closure)
{
    for (uint32_t i = 0; i < model->n_values; i++) {
        const attribute *a = &v->mine->attributes[model->among[i]];
        bool found = false;
        for (uint32_t r = 0; r < v->mine->n_records && !found; r++)
            found = tree_covers(a->tree, closure[model->among[i]], a->cells[r]);
        if (!found)
            return false;
    }
    return true;
}

/* One step up in the least important attribute that is not at its root; false if all are. */
static bool step_up(const rows_state *v, const model_spec *model, uint32_t *closure)
{
    for (uint32_t i = model->n_values; i-- > 0;) {
        const tree *t = v->mine->attributes[model->among[i]].tree;
        uint32_t *node = &closure[model->among[i]];
        if (*node == tree_root(t))
            continue;
        *node = t->parent[*node];
        return true;
    }
    return false;
}

/* Checks the classes in todo[0 … *count-1]. Raises those that fail by one step, and keeps them in
 * todo for the next round. */
static kith_status raise_round(rows_result *result, rows_state *v, const model_spec *model,
                               uint32_t *todo, uint32_t *count, kith_error *error)
{
    const uint32_t n_attributes = v->mine->n_attributes;
    uint32_t kept = 0;
    uint64_t *bit = TRY_ALLOC(arena_zalloc(v->memory, smc_words(*count), sizeof *bit), error);
    for (uint32_t i = 0; i < *count; i++)
        smc_set_bit(bit, i, supports(v, model, result->closure + (size_t)todo[i] * n_attributes));
    /* message 15 */
    TRY(logic_threshold(v->p, bit, bit, *count, (uint32_t)ceil(model->l), SMC_ALL, error));
    for (uint32_t i = 0; i < *count; i++) {
        if (smc_bit(bit, i))
            continue;
        if (!step_up(v, model, result->closure + (size_t)todo[i] * n_attributes))
            return error_set(error, KITH_PEER, "record counts of the sites changed");
        todo[kept++] = todo[i];
    }
    *count = kept;
    return KITH_OK;
}

kith_status rows_site_models_raise(rows_result *result, rows_state *v, kith_error *error)
{
    const protocol_options *o = v->task->options;
    for (uint32_t m = 0; m < o->n_site_models; m++) {
        const model_spec *model = &o->site_models[m];
        if (!by_attributes(model) || model->n_values < 2)
            continue;
        uint32_t count = result->n_classes;
        uint32_t *todo = TRY_ALLOC(arena_array(v->memory, count, sizeof *todo), error);
        for (uint32_t i = 0; i < count; i++)
            todo[i] = i;
        while (count > 0)
            TRY(raise_round(result, v, model, todo, &count, error));
    }
    return KITH_OK;
}
