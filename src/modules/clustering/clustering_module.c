/* clustering: sequential clustering over sites, over rows (src/protocol/rows) and over columns
 * (src/protocol/columns). Keys that it alone has:
 *
 *     hide_sizes, withhold, private_diversity    over rows
 *     noise                                      over columns */
#include "modules/clustering/clustering_module.h"

#include "protocol/columns/columns_clustering.h"
#include "protocol/rows/rows_clustering.h"
#include "protocol/supports.h"
#include "study/schema/schema.h"

static bool clustering_module_supports(const protocol_options *o, const model_spec *model)
{
    return o->partition == PARTITION_VERTICAL ? supports_columns(model)
                                              : rows_clustering_supports(model);
}

/* private_diversity hides the counts that diversity by frequency looks at; there must be such a
 * model, and no other that would need them open. */
static void check_private(study_draft *d, const yaml_node_t *node)
{
    const protocol_options *o = &d->study->joint;
    uint32_t hidden = 0, others = 0;
    if (node == NULL || !o->private_diversity)
        return;
    for (uint32_t i = 0; i < d->study->n_models; i++) {
        const model_spec *m = &d->study->models[i];
        bool by_frequency = m->id == MODEL_L_DIVERSITY && m->variant == VARIANT_FREQUENCY;
        hidden += by_frequency;
        if (by_frequency || m->id == MODEL_K_ANONYMITY)
            continue;
        others++;
        yaml_walk_problem(d->walk, node,
                          "private_diversity is for l-diversity by frequency, not for the "
                          "model of line %zu",
                          (size_t)m->line);
    }
    if (hidden + others == 0)
        yaml_walk_problem(d->walk, node,
                          "private_diversity hides the counts of l-diversity by frequency, which "
                          "this study does not ask for");
}

/* Reads `withhold`: from 1, which withholds nothing, to the smallest class that there may be. */
static void read_withhold(study_draft *d, const yaml_node_t *node)
{
    protocol_options *o = &d->study->joint;
    uint32_t k = 0;
    o->withhold = OPTIONS_WITHHOLD;
    if (!yaml_walk_whole(d->walk, node, "withhold", 1, &o->withhold))
        return;
    for (uint32_t i = 0; i < d->study->n_models; i++) {
        uint32_t size = model_minimum_size(&d->study->models[i]);
        k = size > k ? size : k;
    }
    if (o->withhold > k)
        yaml_walk_problem(d->walk, node,
                          "withhold: expected at most %u, the size of the smallest class, found %u",
                          k, o->withhold);
    if (d->study->search.finish == FINISH_MERGE && schema_looks_at_values(d) &&
        !o->private_diversity)
        yaml_walk_problem(d->walk, node,
                          "withhold is for the finish hybrid: with finish: merge clusters keep "
                          "models about sensitive values all the time, and none is withheld");
}

static void read_more_keys(study_draft *d, const yaml_node_t *place,
                           const yaml_node_t *const *nodes)
{
    (void)place;
    const protocol_options *o = &d->study->joint;
    if (o->partition == PARTITION_VERTICAL && nodes[JOINT_NOISE] == NULL &&
        nodes[JOINT_PROTOCOL] != NULL)
        yaml_walk_warning(
            d->walk, nodes[JOINT_PROTOCOL],
            "the pivot sees by how much the cost would change if a record moved, and with three "
            "parties it can mostly take the sum of the others' changes apart (in a test three "
            "quarters of the sums); noise: 0.01 spoils exact equations, and weave opens no such "
            "numbers");
    if (o->partition != PARTITION_HORIZONTAL)
        return;
    check_private(d, nodes[JOINT_PRIVATE_DIVERSITY]);
    read_withhold(d, nodes[JOINT_WITHHOLD]);
}

/* Warns of what clustering over rows tells the sites about each other's records. */
static void warn(study_draft *d, const yaml_node_t *place)
{
    const protocol_options *o = &d->study->joint;
    if (o->partition != PARTITION_HORIZONTAL)
        return;
    if (o->withhold < 2)
        yaml_walk_warning(d->walk, place,
                          "clustering over rows with withhold: 1 tells all parties the "
                          "quasi-identifiers of single records of others (in a test of up to 62%% "
                          "of them); withhold: 2 does not, and the protocol weave tells least");
    else
        yaml_walk_warning(d->walk, place,
                          "clustering over rows tells all parties sizes and closures of clusters "
                          "of as few as %u records, many of them with a single record of another "
                          "party; the protocol weave tells less",
                          o->withhold);
}

static const char *const keys[] = {"hide_sizes",        "withhold", "noise",
                                   "private_diversity", "publish",  "ids",
                                   "unmatched",         "match",    NULL};

const protocol_module protocol_clustering = {
    .name = "clustering",
    .partitions = 1 << PARTITION_HORIZONTAL | 1 << PARTITION_VERTICAL,
    .keys = keys,
    .engine = "sequential",
    .counts_persons = true,
    .matches_persons = true,
    .one_site = true,
    .supports_model = clustering_module_supports,
    .read_more_keys = read_more_keys,
    .warn = warn,
    .disclosures = clustering_disclosures,
    .sayings = clustering_sayings,
    .rows = rows_clustering,
    .columns = columns_clustering,
};
