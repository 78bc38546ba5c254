#include "protocol/supports.h"

#include <string.h>

/* Larger bounds would make the counts of a class overflow the comparison of the joint tree. */
enum { MAX_L = 1 << 10 };

bool supports_partition(const protocol_options *o)
{
    return o->protocol == PROTOCOL_ENCRYPTED_VIEW || o->partition == PARTITION_HORIZONTAL ||
           (o->partition == PARTITION_VERTICAL &&
            (o->protocol == PROTOCOL_CLUSTERING || o->protocol == PROTOCOL_WEAVE));
}

/* Which protocols count persons who have several rows, and of them those who are at home. */
static const struct {
    bool units, homes;
} counts[PROTOCOLS] = {
    [PROTOCOL_WEAVE] = {true, true},          [PROTOCOL_CLUSTERING] = {true, true},
    [PROTOCOL_ENCRYPTED_VIEW] = {true, true}, [PROTOCOL_MONDRIAN] = {true, true},
    [PROTOCOL_ID_BASED] = {false, false},
};

bool supports_units(const protocol_options *o)
{
    return o->partition == PARTITION_HORIZONTAL &&
           (o->overlap == OVERLAP_MATCHED ? counts[o->protocol].homes : counts[o->protocol].units);
}

/* Where each row is a person, a class of 1 / share rows does. */
static bool bounds_persons(const model_spec *model)
{
    return model->by_units && model->share * MAX_L >= 1;
}

bool supports_rows_clustering(const model_spec *model)
{
    switch (model->id) { /* models that depend on the counts of a class alone */
    case MODEL_K_ANONYMITY:
    case MODEL_L_DIVERSITY:
    case MODEL_ALPHA_K:
    case MODEL_P_SENSITIVE:
    case MODEL_L_SITE_DIVERSITY:
    case MODEL_M_PRIVACY: return true;
    case MODEL_DOMINANCE: return bounds_persons(model);
    default: return false;
    }
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
        return (model->variant == VARIANT_RECURSIVE ? l_of_recursive(model) : model->l) <= MAX_L;
    case MODEL_ALPHA_K: return model->alpha * MAX_L >= 1;
    case MODEL_P_SENSITIVE: return model->p <= MAX_L;
    case MODEL_L_SITE_DIVERSITY: return model->variant == VARIANT_SITES || model->n_values == 1;
    case MODEL_DOMINANCE: return bounds_persons(model);
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

bool supports_mondrian(const model_spec *model)
{
    switch (model->id) {
    case MODEL_K_ANONYMITY:
    case MODEL_M_PRIVACY: return true;
    case MODEL_L_DIVERSITY:
        return (model->variant == VARIANT_FREQUENCY || model->variant == VARIANT_DISTINCT) &&
               model->l <= MAX_L;
    case MODEL_L_SITE_DIVERSITY: return model->variant == VARIANT_SITES;
    case MODEL_DOMINANCE: return bounds_persons(model);
    default: return false;
    }
}

/* The pivot has all sensitive values and checks classes alone. It does not know closures.
 * Clustering merges classes that satisfy the models without checking the result, and both protocols
 * take it that models which any classes can meet are met by all records together. */
static bool supports_columns(const model_spec *model)
{
    return !model_of_sites(model->id) && model_closed(model) && !models_need_closure(model, 1);
}

bool supports_model(const protocol_options *o, const model_spec *model)
{
    switch (o->protocol) {
    case PROTOCOL_WEAVE:
        if (o->partition == PARTITION_VERTICAL)
            return supports_columns(model);
        /* A quiet tree needs models that a set keeps whatever joins it: then a value that is not
         * live above is not live below, although no party knows which values those are. */
        return supports_joint_tree(model) && !(o->quiet && supports_by_trimming(model));
    case PROTOCOL_MONDRIAN: return supports_mondrian(model);
    case PROTOCOL_ID_BASED: return model->id == MODEL_K_ANONYMITY;
    case PROTOCOL_CLUSTERING:
        if (o->partition != PARTITION_VERTICAL)
            return supports_rows_clustering(model);
        return supports_columns(model);
    default: /* the encrypted view */
        /* Codes of encrypted values have no order, and the other tables that some models refer to
         * are not encrypted with the same keys. */
        return !model_of_sites(model->id) && model->variant != VARIANT_ORDERED &&
               model->id != MODEL_K_MAP && model->id != MODEL_M_INVARIANCE;
    }
}

bool supports_measure(const protocol_options *o, const measure_info *measure)
{
    if (o->protocol == PROTOCOL_ENCRYPTED_VIEW)
        return true;
    if (o->protocol == PROTOCOL_ID_BASED) /* it suppresses what it must, whatever the measure */
        return measure->id == MEASURE_LM;
    return measure->additive && !measure->uses_sensitive;
}

bool supports_algorithm(const protocol_options *o, const algorithm *a, const search_spec *spec)
{
    if (o->protocol != PROTOCOL_ENCRYPTED_VIEW)
        return true;
    bool ordered = strcmp(a->name, "hilbert") == 0 || strcmp(a->name, "mondrian") == 0;
    return !ordered && !spec->ranges;
}
