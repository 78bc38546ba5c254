/* encrypted-view: commutative encryption, then any algorithm, however the data is split
 * (src/protocol/view). Keys that it alone has: master, replicas, pregeneralize. */
#include "modules/encrypted_view/encrypted_view_module.h"

#include <string.h>

#include "core/text.h"
#include "job/joint/joint_run.h"
#include "modules/encrypted_view/view_columns.h"
#include "modules/encrypted_view/view_estimate.h"
#include "study/schema/schema.h"

/* Codes of encrypted values have no order, and the other tables that some models refer to are not
 * encrypted with the same keys. */
static bool encrypted_view_module_supports(const protocol_options *o, const model_spec *model)
{
    (void)o;
    return !model_of_sites(model->id) && model->variant != VARIANT_ORDERED &&
           model->id != MODEL_K_MAP && model->id != MODEL_M_INVARIANCE;
}

/* Whether the hierarchy has that many levels shows when it is built. */
static void read_pregeneralize(study_draft *d, study_column *c, const yaml_node_t *value)
{
    uint32_t *level = d->study->joint.pregeneralize;
    yaml_walk_whole(d->walk, value, "pregeneralize", 0, &level[c - d->columns]);
}

/* A study without parties can be simulated; the simulated sites are called site1, site2, … */
static bool is_simulated(const char *text, uint32_t *index)
{
    int64_t number;
    if (strncmp(text, "site", 4) != 0 || !text_integer(text + 4, strlen(text + 4), &number) ||
        number < 1 || number > 128)
        return false;
    *index = (uint32_t)number - 1;
    return true;
}

/* The name of a party that holds data; parties have been read. */
static void read_master(study_draft *d, const yaml_node_t *node)
{
    const char *text;
    if (!yaml_walk_text(d->walk, node, "master", &text) || strcmp(text, "external") == 0)
        return;
    if (d->study->n_parties == 0 && is_simulated(text, &d->study->joint.master))
        return;
    for (uint32_t i = 0; i < d->study->n_parties; i++)
        if (d->study->parties[i].name != NULL && strcmp(d->study->parties[i].name, text) == 0) {
            d->study->joint.master = i;
            if (d->study->n_parties < 3)
                yaml_walk_problem(d->walk, node,
                                  "master: with two parties it must be external, a third one "
                                  "without data");
            return;
        }
    yaml_walk_expected(d->walk, node, "master", "external or the name of a party");
}

static void read_keys(study_draft *d, const yaml_node_t *place, const yaml_node_t *const *nodes)
{
    (void)place;
    protocol_options *o = &d->study->joint;
    read_master(d, nodes[JOINT_MASTER]);
    if (yaml_walk_whole(d->walk, nodes[JOINT_REPLICAS], "replicas", 1, &o->n_replicas) &&
        o->n_replicas > 1 && o->master != PROTOCOL_MASTER_EXTERNAL)
        yaml_walk_problem(d->walk, nodes[JOINT_REPLICAS], "replicas need master: external");
    if (nodes[JOINT_PREGENERALIZE] != NULL)
        o->pregeneralize = yaml_walk_alloc(d->walk, d->study->n_columns, sizeof *o->pregeneralize);
    if (o->pregeneralize != NULL)
        schema_each_column(d, nodes[JOINT_PREGENERALIZE], "pregeneralize", read_pregeneralize);
}

/* It shows what occurs together. */
static void warn(study_draft *d, const yaml_node_t *place)
{
    yaml_walk_warning(
        d->walk, place,
        "encrypted-view: treat the master and every other site as able to read the table, "
        "sensitive columns included, except for near-unique values (in a test they named "
        "all diseases, 9 of 10 jobs and 6 of 10 zip codes); only pregeneralize bounds it; "
        "'kith describe DATA STUDY --exposure' measures it");
}

static uint64_t traits(const kith_study *study)
{
    uint64_t found = study->joint.partition == PARTITION_HORIZONTAL ? 0 : TRAIT_MATCHED;
    for (uint32_t i = 0; i < study->n_columns; i++)
        if (view_columns_compares_lengths(study, i))
            found |= TRAIT_MASK_LENGTHS;
    return found;
}

static const char *const keys[] = {"ids",       "master", "replicas", "pregeneralize",
                                   "unmatched", "match",  NULL};

const protocol_module protocol_encrypted_view = {
    .name = "encrypted-view",
    .partitions = 1 << PARTITION_HORIZONTAL | 1 << PARTITION_VERTICAL | 1 << PARTITION_HYBRID,
    .keys = keys,
    .by_master = true,
    .counts_persons = true,
    .matches_persons = true,
    .supports_model = encrypted_view_module_supports,
    .read_keys = read_keys,
    .warn = warn,
    .disclosures = encrypted_view_disclosures,
    .traits = traits,
    .sayings = encrypted_view_sayings,
    .run = joint_view,
    .estimate = view_estimate_run,
    .put_phases = view_estimate_put_phases,
};
