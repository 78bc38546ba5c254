/* id-based: suppression between two owners of rows (src/protocol/id_based). Keys that it alone has:
 *
 *     lists: 1000          how many different quasi-identifiers a party may have
 *     hashing: on | off    off: all pairs are compared, as in the paper
 *     pkg: self            or the file of a key generator's public parameters
 *     period: "2026-11"    of the keys that the generator issued */
#include "modules/id_based/id_based_module.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "crypto/pairing/ibe_text.h"
#include "job/joint/joint_run.h"
#include "modules/id_based/id_based_estimate.h"
#include "modules/id_based/id_keys_parse.h"
#include "study/schema/schema.h"

enum { MAX_LISTS = 1 << 20, MAX_K = 1 << 12, PARAMETERS_BYTES = 1 << 16, PERIOD_BYTES = 63 };

/* Only looks whether they can be read: a party parses them once more when it runs. */
static void check_parameters(study_draft *d, const yaml_node_t *node, const char *text,
                             size_t length)
{
    kith_error error = {0};
    ibe_heading heading;
    ibe_parameters *parameters = yaml_walk_alloc(d->walk, 1, sizeof *parameters);
    if (parameters != NULL && ibe_text_parse_parameters(parameters, &heading, text, length,
                                                        d->study->pkg, &error) != KITH_OK)
        yaml_walk_problem(d->walk, node, "pkg: %s", error.message);
}

/* Keeps the file's text: the digest covers it, and a party parses it when it runs. */
static void read_parameters(study_draft *d, const yaml_node_t *node, const char *path)
{
    kith_study *study = d->study;
    study->pkg = schema_path(d->walk, node, d->directory, path);
    char *text = yaml_walk_alloc(d->walk, PARAMETERS_BYTES + 1, 1);
    if (study->pkg == NULL || text == NULL)
        return;
    FILE *in = fopen(study->pkg, "rb");
    if (in == NULL) {
        yaml_walk_problem(d->walk, node, "pkg: cannot open %s: %s", study->pkg, strerror(errno));
        return;
    }
    const size_t length = fread(text, 1, PARAMETERS_BYTES, in);
    if (ferror(in) != 0)
        yaml_walk_problem(d->walk, node, "pkg: cannot read %s: %s", study->pkg, strerror(errno));
    else
        check_parameters(d, node, text, length);
    fclose(in);
    text[length] = '\0';
    study->pkg_text = text;
}

static void read_generator(study_draft *d, const yaml_node_t *pkg, const yaml_node_t *period)
{
    const char *text;
    if (yaml_walk_text(d->walk, pkg, "pkg", &text) && strcmp(text, "self") != 0)
        read_parameters(d, pkg, text);
    if (period == NULL)
        return;
    if (d->study->pkg == NULL)
        yaml_walk_problem(d->walk, period, "period is for keys of a generator: pkg names its file");
    else if (schema_name(d->walk, period, "period", &d->study->pkg_period) &&
             strlen(d->study->pkg_period) > PERIOD_BYTES)
        yaml_walk_problem(d->walk, period, "period: expected at most %d bytes", PERIOD_BYTES);
}

static void read_keys(study_draft *d, const yaml_node_t *place, const yaml_node_t *const *nodes)
{
    static const char *const switches[] = {"on", "off", NULL};
    protocol_options *o = &d->study->joint;
    size_t choice;
    o->hashing = true;
    if (yaml_walk_whole(d->walk, nodes[JOINT_LISTS], "lists", 1, &o->lists) && o->lists > MAX_LISTS)
        yaml_walk_problem(d->walk, nodes[JOINT_LISTS], "lists: expected at most %d, found %u",
                          MAX_LISTS, o->lists);
    if (o->lists == 0 && o->max_rows == 0)
        o->max_rows = OPTIONS_ROWS_OF_LISTS;
    if (yaml_walk_choice(d->walk, nodes[JOINT_HASHING], "hashing", switches, &choice))
        o->hashing = choice == 0;
    read_generator(d, nodes[JOINT_PKG], nodes[JOINT_PERIOD]);
    /* k decides how long lists are, so it has a bound here. Everything else that could be asked of
     * a release is refused by supports_model and supports_measure. */
    for (uint32_t i = 0; i < d->study->n_models; i++)
        if (d->study->models[i].id == MODEL_K_ANONYMITY && d->study->models[i].k > MAX_K)
            yaml_walk_problem(d->walk, place, "protocol id-based: k must be at most %d, found %u",
                              MAX_K, d->study->models[i].k);
    /* The protocol compares whole tuples of cells: what is between a cell and nothing has no
     * effect. */
    for (uint32_t i = 0; i < d->study->n_columns; i++)
        if (d->columns[i].role == ROLE_QUASI_IDENTIFYING && d->columns[i].weight != 1)
            yaml_walk_problem(d->walk, place,
                              "protocol id-based suppresses all quasi-identifiers of a row or "
                              "none: utility.weights have no effect");
    if (d->study->n_parties != 0 && d->study->n_parties != 2)
        yaml_walk_problem(d->walk, place, "protocol id-based is for two parties, not for %u",
                          d->study->n_parties);
}

static bool id_based_module_supports(const protocol_options *o, const model_spec *model)
{
    (void)o;
    return model->id == MODEL_K_ANONYMITY;
}

static uint64_t traits(const kith_study *study)
{
    return (study->joint.lists == 0 ? TRAIT_OWN_LISTS : 0) |
           (study->pkg != NULL ? TRAIT_GENERATOR : 0);
}

static const char *const keys[] = {"publish", "lists", "hashing", "pkg", "period", NULL};

const protocol_module protocol_id_based = {
    .name = "id-based",
    .partitions = 1 << PARTITION_HORIZONTAL,
    .keys = keys,
    .engine = "weave",
    .suppresses = true,
    .supports_model = id_based_module_supports,
    .read_keys = read_keys,
    .disclosures = id_based_disclosures,
    .traits = traits,
    .sayings = id_based_sayings,
    .run = joint_id_based,
    .load_key = id_keys_parse,
    .estimate = id_based_estimate_run,
};
