#include "protocol/mondrian/mondrian_conditions.h"

#include "core/error.h"
#include "protocol/mondrian/mondrian_protocol.h"
#include "protocol/supports.h"

/* How often "no record" stands in a block: beside every sum, or, where only some of the sums must
 * be good, as often as those. Shares of values hold for empty sets by themselves, and no site has
 * more rows there than there are. */
static size_t alternatives(const joint_tree_rules *r, uint32_t i)
{
    const joint_tree_kind kind = r->conditions[i].kind;
    const bool holds_empty =
        kind == JOINT_TREE_FREQUENCY || kind == JOINT_TREE_CERTAIN || kind == JOINT_TREE_DOMINANCE;
    return holds_empty ? 0 : r->blocks[i].need;
}

/* Must only some of the sums of a block be good? */
static bool asks_for_some(const joint_tree_rules *r, uint32_t i)
{
    return r->conditions[i].kind == JOINT_TREE_DISTINCT ||
           r->conditions[i].kind == JOINT_TREE_OTHER_VALUES;
}

bool mondrian_protocol_supports(const model_spec *model)
{
    switch (model->id) {
    case MODEL_K_ANONYMITY:
    case MODEL_M_PRIVACY: return true;
    case MODEL_L_DIVERSITY:
        return (model->variant == VARIANT_FREQUENCY || model->variant == VARIANT_DISTINCT) &&
               model->l <= SUPPORTS_MAX_L;
    case MODEL_L_SITE_DIVERSITY: return model->variant == VARIANT_SITES;
    case MODEL_DOMINANCE: return supports_persons_bound(model);
    default: return false;
    }
}

static kith_status check_supported(const model_spec *models, uint32_t n_models, kith_error *error)
{
    for (uint32_t i = 0; i < n_models; i++)
        if (!mondrian_protocol_supports(&models[i]))
            return error_set(error, KITH_INVALID, "distributed Mondrian does not support %s%s%s",
                             model_name(models[i].id),
                             models[i].variant == VARIANT_NONE ? "" : ", ",
                             model_variant_name(models[i].variant));
    return KITH_OK;
}

kith_status mondrian_conditions_init(mondrian_conditions *c, const rows_task *task, party *me,
                                     arena *memory, kith_error *error)
{
    joint_tree_rules *r = &c->rules;
    TRY(check_supported(task->mine->models, task->mine->n_models, error));
    TRY(check_supported(task->options->site_models, task->options->n_site_models, error));
    TRY(joint_tree_rules_init(r, task, me, memory, error));
    c->required = (mondrian_shape){r->blocks, r->n_conditions, r->n_components};
    c->or_empty = (mondrian_shape){0};
    c->or_empty.blocks = TRY_ARRAY(c->or_empty.blocks, memory, r->n_components, error);
    c->plain = TRY_ALLOC(arena_array(memory, 2 * r->n_components, sizeof *c->plain), error);
    for (uint32_t i = 0; i < r->n_conditions; i++) {
        const size_t size = r->blocks[i].size, more = alternatives(r, i);
        c->or_empty.n_sums += size + more;
        if (more == 0 || asks_for_some(r, i))
            c->or_empty.blocks[c->or_empty.n_blocks++] =
                (compare_block){size + more, r->blocks[i].need};
        else
            for (size_t k = 0; k < size; k++)
                c->or_empty.blocks[c->or_empty.n_blocks++] = (compare_block){2, 1};
    }
    return KITH_OK;
}

void mondrian_conditions_fill(const mondrian_conditions *c, bool or_empty, const uint32_t *tally,
                              int64_t *sums, int64_t *thresholds)
{
    const joint_tree_rules *r = &c->rules;
    int64_t *from = or_empty ? c->plain : sums;
    int64_t *least = or_empty ? c->plain + r->n_components : thresholds;
    joint_tree_rules_fill(r, from, least, tally, r->k, 0);
    for (uint32_t i = 0; or_empty && i < r->n_conditions; i++) {
        size_t more = alternatives(r, i);
        for (size_t k = 0; k < r->blocks[i].size || more > 0; k++) {
            if (k < r->blocks[i].size) {
                *sums++ = *from++;
                *thresholds++ = *least++;
            }
            if (more > 0 && (!asks_for_some(r, i) || k >= r->blocks[i].size)) {
                *sums++ = -(int64_t)joint_tree_rules_records(r, tally);
                *thresholds++ = 0;
                more--;
            }
        }
    }
}

int64_t mondrian_conditions_bound(const mondrian_conditions *c)
{
    const joint_tree_rules *r = &c->rules;
    const int64_t bound = joint_tree_rules_bound(r, joint_tree_rules_size(r, r->k).min_sum);
    return bound > r->max_size ? bound : r->max_size;
}
