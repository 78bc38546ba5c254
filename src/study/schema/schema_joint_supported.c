/* What the protocol of a joint study cannot do: models, measures, algorithms. */
#include "study/schema/schema.h"

#include <stdio.h>

#include "protocol/supports.h"

/* A protocol keeps only those models that it can check without opening the data. */
static void refuse_model(study_draft *d, const yaml_node_t *place, const model_spec *m)
{
    const char *variant = model_variant_name(m->variant);
    const protocol_options *o = &d->study->joint;
    const char *why = "";
    char able[160];
    const char *names[PROTOCOL_MODULES + 1] = {NULL};
    size_t count = 0;
    protocol_options other = *o;
    other.quiet = false;
    const bool loud = supports_model(&other, m);
    for (const protocol_module *const *p = protocol_modules; *p != NULL; p++) {
        other.protocol = *p;
        if (*p != o->protocol && supports_partition(&other) && supports_model(&other, m))
            names[count++] = (*p)->name;
    }
    char list[128];
    yaml_walk_list(list, sizeof list, names, " or ");
    /* "; clustering or encrypted-view can", or nothing. */
    snprintf(able, sizeof able, "%s%s%s", count == 0 ? "" : "; ", list, count == 0 ? "" : " can");
    if (m->id == MODEL_L_SITE_DIVERSITY && m->n_values > 1)
        why = " for more than one attribute";
    else if (loud)
        why = " with quiet: true";
    yaml_walk_problem(d->walk, place, "protocol %s cannot keep the model %s%s%s%s of line %zu%s%s",
                      options_protocol_name(o), model_name(m->id), variant[0] == '\0' ? "" : " (",
                      variant, variant[0] == '\0' ? "" : ")", (size_t)m->line, why, able);
}

/* Models, measure and algorithm that the protocol cannot do. schema_search has checked what the
 * algorithm can do alone; a protocol can do less. */
void schema_check_supported(study_draft *d, const yaml_node_t *place)
{
    const protocol_options *o = &d->study->joint;
    const measure_info *measure = measure_at(d->study->measure);
    const algorithm *found = search_find(d->study->algorithm);
    for (uint32_t i = 0; i < d->study->n_models; i++) {
        const model_spec *m = &d->study->models[i];
        if (!supports_model(o, m))
            refuse_model(d, place, m);
    }
    for (uint32_t i = 0; i < o->n_site_models; i++)
        if (!supports_model(o, &o->site_models[i]))
            refuse_model(d, place, &o->site_models[i]);
    if (!supports_measure(o, measure))
        yaml_walk_problem(d->walk, place, "protocol %s cannot minimize the measure %s",
                          options_protocol_name(o), measure->name);
    if (found != NULL && !supports_algorithm(o, found, &d->study->search))
        yaml_walk_problem(d->walk, place,
                          "protocol %s cannot run the algorithm %s, which needs an order of values",
                          options_protocol_name(o), found->name);
}
