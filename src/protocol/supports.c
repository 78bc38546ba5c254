#include "protocol/supports.h"

#include <string.h>

#include "protocol/module.h"

bool supports_partition(const protocol_options *o)
{
    return o->protocol->partitions >> o->partition & 1;
}

bool supports_units(const protocol_options *o)
{
    const protocol_module *m = o->protocol;
    return o->partition == PARTITION_HORIZONTAL &&
           (o->overlap == OVERLAP_MATCHED ? m->matches_persons : m->counts_persons);
}

/* Where each row is a person, a class of 1 / share rows does. */
bool supports_persons_bound(const model_spec *model)
{
    return model->by_units && model->share * SUPPORTS_MAX_L >= 1;
}

/* No value may have a share of 1 / l or more: joint_tree_diversity.h. */
static double l_of_recursive(const model_spec *model)
{
    return model->l - 1 + 1 / model->c;
}

bool supports_joint_tree(const model_spec *model)
{
    switch (model->id) {
    case MODEL_K_ANONYMITY:
    case MODEL_M_PRIVACY: return true;
    case MODEL_L_DIVERSITY:
        return (model->variant == VARIANT_RECURSIVE ? l_of_recursive(model) : model->l) <=
               SUPPORTS_MAX_L;
    case MODEL_ALPHA_K: return model->alpha * SUPPORTS_MAX_L >= 1;
    case MODEL_P_SENSITIVE: return model->p <= SUPPORTS_MAX_L;
    case MODEL_L_SITE_DIVERSITY: return model->variant == VARIANT_SITES || model->n_values == 1;
    case MODEL_DOMINANCE: return supports_persons_bound(model);
    default: return false;
    }
}

bool supports_by_trimming(const model_spec *model)
{
    if (model->id == MODEL_ALPHA_K)
        return model->alpha < 1;
    if (model->id != MODEL_L_DIVERSITY || model->variant == VARIANT_DISTINCT)
        return false;
    return model->variant == VARIANT_RECURSIVE ? l_of_recursive(model) >= 1 : model->l > 1;
}

bool supports_by_stricter_rule(const model_spec *model)
{
    return supports_by_trimming(model) &&
           (model->variant == VARIANT_ENTROPY || model->variant == VARIANT_RECURSIVE);
}

/* The pivot has all sensitive values and checks classes alone. It does not know closures.
 * Clustering merges classes that satisfy the models without checking the result, and both protocols
 * take it that models which any classes can meet are met by all records together. */
bool supports_columns(const model_spec *model)
{
    return !model_of_sites(model->id) && model_closed(model) && !models_need_closure(model, 1);
}

bool supports_model(const protocol_options *o, const model_spec *model)
{
    return o->protocol->supports_model(o, model);
}

bool supports_measure(const protocol_options *o, const measure_info *measure)
{
    if (o->protocol->by_master)
        return true;
    if (o->protocol->suppresses) /* whatever the measure */
        return measure->id == MEASURE_LM;
    return measure->additive && !measure->uses_sensitive;
}

bool supports_algorithm(const protocol_options *o, const algorithm *a, const search_spec *spec)
{
    if (!o->protocol->by_master)
        return true;
    bool ordered = strcmp(a->name, "hilbert") == 0 || strcmp(a->name, "mondrian") == 0;
    return !ordered && !spec->ranges;
}
