/* weave: the joint tree, over rows (src/protocol/joint_tree) and over columns
 * (src/protocol/column_tree). Keys that it alone has:
 *
 *     blur, quiet, reweave   over rows
 *     name: true | false     over columns: other sites name records that should be lent
 *     pools: true | false    over columns: small rests leave for pools: less loss, and sites know
 *                            more */
#include "modules/weave/weave_module.h"

#include "core/findings.h"
#include "protocol/column_tree/column_tree.h"
#include "protocol/joint_tree/joint_tree.h"
#include "protocol/supports.h"
#include "study/schema/schema.h"

static bool weave_module_supports(const protocol_options *o, const model_spec *model)
{
    if (o->partition == PARTITION_VERTICAL)
        return supports_columns(model);
    /* A quiet tree needs models that a set keeps whatever joins it: then a value that is not live
     * above is not live below, although no party knows which values those are. */
    return supports_joint_tree(model) && !(o->quiet && supports_by_trimming(model));
}

static void warn_of_stricter_rules(study_draft *d, const yaml_node_t *place,
                                   const yaml_node_t *const *nodes)
{
    (void)place, (void)nodes;
    if (d->study->joint.partition != PARTITION_HORIZONTAL)
        return;
    for (uint32_t i = 0; i < d->study->n_models; i++) {
        const model_spec *m = &d->study->models[i];
        if (weave_module_supports(&d->study->joint, m) && supports_by_stricter_rule(m))
            findings_add(d->walk->findings, KITH_SEVERITY_WARNING, d->walk->file, (size_t)m->line,
                         0,
                         "weave keeps %s (%s) by a stricter rule on the share of each value, which "
                         "may lose much more than clustering or encrypted-view",
                         model_name(m->id), model_variant_name(m->variant));
    }
}

/* From where on naming records pays: with a smaller k the loss is at most a twentieth lower, and
 * where few attributes have a hierarchy not at all (bench/notes/weave-vertical.md). */
enum { NAMING_ATTRIBUTES = 8, NAMING_K = 50 };

/* Without `name` it is decided by the study, which all parties have, and by numbers that all of
 * them know when they begin (column_tree_naming.h). */
static bool naming_pays(const study_draft *d)
{
    uint32_t all = 0, flat = 0;
    for (uint32_t i = 0; i < d->study->n_columns; i++) {
        all += d->columns[i].role == ROLE_QUASI_IDENTIFYING;
        flat += d->columns[i].role == ROLE_QUASI_IDENTIFYING &&
                d->columns[i].hierarchy.kind == HIERARCHY_SUPPRESS;
    }
    return all >= NAMING_ATTRIBUTES && flat <= all / 2 && !schema_looks_at_values(d) &&
           models_minimum_size(d->study->models, d->study->n_models) >= NAMING_K;
}

/* With models on sensitive values a split goes back and forth between two sites; the others do not
 * name records then. */
static void read_name(study_draft *d, const yaml_node_t *node)
{
    bool wanted = false;
    if (node == NULL) {
        d->study->joint.name =
            naming_pays(d) && !d->study->joint.pools ? NAMING_IF_CHEAP : NAMING_NEVER;
        return;
    }
    if (!yaml_walk_flag(d->walk, node, "name", &wanted) || !wanted)
        return;
    d->study->joint.name = NAMING_ALWAYS;
    if (schema_looks_at_values(d))
        yaml_walk_problem(d->walk, node,
                          "name: true cannot be combined with models on sensitive values");
    if (d->study->joint.pools)
        yaml_walk_problem(
            d->walk, node,
            "name: true cannot be combined with pools: true, where no record is lent");
}

/* Models on sensitive values need sets that borrow. */
static void read_pools(study_draft *d, const yaml_node_t *node)
{
    bool *pools = &d->study->joint.pools;
    if (!yaml_walk_flag(d->walk, node, "pools", pools) || !*pools)
        return;
    if (schema_looks_at_values(d))
        yaml_walk_problem(d->walk, node,
                          "pools: true cannot be combined with models on sensitive values");
    yaml_walk_warning(
        d->walk, node,
        "pools: true: every party can know records more finely than the release shows "
        "them (in a test 5 to 26%% of them; for some of them fewer than k fit all that "
        "is known); without it none is");
}

static void read_more_keys(study_draft *d, const yaml_node_t *place,
                           const yaml_node_t *const *nodes)
{
    const protocol_options *o = &d->study->joint;
    if (o->partition != PARTITION_VERTICAL)
        return;
    if (schema_looks_at_values(d))
        yaml_walk_warning(
            d->walk, place,
            "with models on sensitive values the party that holds them sees splits that are not "
            "made, and can know records more finely than the release shows them (in a test 17 to "
            "89%% of them; for some of them fewer than k fit); the others learn of their own "
            "proposals whether some part of them breaks the models");
    read_pools(d, nodes[JOINT_POOLS]);
    read_name(d, nodes[JOINT_NAME]);
}

static const char *const keys[] = {"publish", "ids",   "unmatched", "blur",  "quiet",
                                   "name",    "pools", "reweave",   "match", NULL};

const protocol_module protocol_weave = {
    .name = "weave",
    .partitions = 1 << PARTITION_HORIZONTAL | 1 << PARTITION_VERTICAL,
    .keys = keys,
    .engine = "weave",
    .counts_persons = true,
    .matches_persons = true,
    .steady = 1 << PARTITION_VERTICAL, /* its depth hardly depends on the number of records */
    .supports_model = weave_module_supports,
    .read_keys = warn_of_stricter_rules,
    .read_more_keys = read_more_keys,
    .most_rows = "the answers of the joint tree tell this party of single records of others (in a "
                 "test, by linear programs: of 7 with 90% of 5,000 rows, of none with a half or "
                 "less)",
    .disclosures = weave_disclosures,
    .sayings = weave_sayings,
    .rows = joint_tree_run,
    .columns = column_tree_run,
};
