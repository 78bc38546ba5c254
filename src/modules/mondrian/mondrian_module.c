/* mondrian: distributed Mondrian, over rows (src/protocol/mondrian). A key that it alone has:
 *
 *     alpha: 0.3    weight of the range in the score of a split */
#include "modules/mondrian/mondrian_module.h"

#include "protocol/mondrian/mondrian_protocol.h"
#include "study/schema/schema.h"

static bool mondrian_module_supports(const protocol_options *o, const model_spec *model)
{
    (void)o;
    return mondrian_protocol_supports(model);
}

/* The weight of the range in the score of a split. The rest is for how evenly the sites'
 * records are distributed, which matters only if classes must have records of several sites. */
static void read_keys(study_draft *d, const yaml_node_t *place, const yaml_node_t *const *nodes)
{
    (void)place;
    protocol_options *o = &d->study->joint;
    bool sites = false;
    for (uint32_t i = 0; i < o->n_site_models; i++)
        sites = sites || (o->site_models[i].variant == VARIANT_SITES && o->site_models[i].l > 1);
    o->alpha = sites ? 0.3 : 1;
    if (schema_share(d, nodes[JOINT_ALPHA], "alpha", "a weight from 0 to 1", &o->alpha) &&
        o->alpha < 1 && !sites)
        yaml_walk_problem(d->walk, nodes[JOINT_ALPHA],
                          "alpha below 1 scores the sites of a split: it needs the model "
                          "l-site-diversity, variant sites");
}

static uint64_t traits(const kith_study *study)
{
    uint64_t found = study->joint.alpha < 1 ? TRAIT_SCORED_SITES : 0;
    for (uint32_t i = 0; i < study->n_columns; i++)
        if (study->columns[i].role == ROLE_QUASI_IDENTIFYING)
            found |= study->search.all_ordered || study->columns[i].type != KITH_TYPE_STRING
                         ? TRAIT_ORDERED_AXES
                         : TRAIT_TREE_AXES;
    return found;
}

static const char *const keys[] = {"publish", "match", "alpha", NULL};

const protocol_module protocol_mondrian = {
    .name = "mondrian",
    .partitions = 1 << PARTITION_HORIZONTAL,
    .keys = keys,
    .engine = "mondrian",
    .regions = true,
    .counts_persons = true,
    .matches_persons = true,
    .supports_model = mondrian_module_supports,
    .read_keys = read_keys,
    .disclosures = mondrian_disclosures,
    .traits = traits,
    .sayings = mondrian_sayings,
    .rows = mondrian_protocol_run,
};
