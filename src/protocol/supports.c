#include "protocol/supports.h"

#include <string.h>

#include "protocol/clustering_horizontal.h"
#include "protocol/tree_rules.h"

/* Codes of encrypted values have no order, and other tables are not encrypted with them. */
static bool orderless(const model_spec *model)
{
    return !model_of_sites(model->id) && model->variant != VARIANT_ORDERED &&
           model->id != MODEL_K_MAP && model->id != MODEL_M_INVARIANCE;
}

/* Over columns one party has all sensitive values, and asks about classes as if it were alone; it
 * does not know closures, and unites good classes without asking. */
static bool by_values(const model_spec *model)
{
    return !model_of_sites(model->id) && model_closed(model) && !models_need_closure(model, 1);
}

bool protocol_supports_model(const protocol_options *o, const model_spec *model)
{
    switch (o->protocol) {
    case PROTOCOL_WEAVE: return tree_supports(model);
    case PROTOCOL_CLUSTERING:
        if (o->partition == PARTITION_VERTICAL)
            return by_values(model);
        return clustering_supports(model);
    default: return orderless(model);
    }
}

bool protocol_supports_measure(const protocol_options *o, const measure_info *measure)
{
    if (o->protocol == PROTOCOL_ENCRYPTED_VIEW)
        return true;
    return measure->additive && !measure->secret;
}

bool protocol_supports_algorithm(const protocol_options *o, const algorithm *a,
                                 const search_spec *spec)
{
    if (o->protocol != PROTOCOL_ENCRYPTED_VIEW)
        return true;
    bool ordered = strcmp(a->name, "hilbert") == 0 || strcmp(a->name, "mondrian") == 0;
    return !ordered && !spec->ranges;
}
