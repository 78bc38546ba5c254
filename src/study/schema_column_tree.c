/* Keys of the joint tree of columns.
 *
 *     name: true | false     other sites name records that should be lent
 *     pools: true | false    small rests leave for pools: less loss, and sites know more */
#include "study/schema.h"

/* From where on naming records pays: with a smaller k the loss is at most a twentieth lower, and
 * where few attributes have a hierarchy not at all (docs/benchmarks.md). */
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

/* With models on sensitive values a split goes back and forth between two sites; nobody else names
 * records then. */
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

void schema_column_tree(study_draft *d, const yaml_node_t *const *nodes)
{
    const protocol_options *o = &d->study->joint;
    if (o->protocol == PROTOCOL_CLUSTERING && o->partition == PARTITION_VERTICAL &&
        nodes[JOINT_NOISE] == NULL && nodes[JOINT_PROTOCOL] != NULL)
        yaml_walk_warning(
            d->walk, nodes[JOINT_PROTOCOL],
            "the pivot sees by how much the cost would change if a record moved, and with three "
            "parties it can mostly take the sum of the others' changes apart (in a test three "
            "quarters of the sums); noise: 0.01 spoils exact equations, and weave opens no such "
            "numbers");
    if (o->protocol != PROTOCOL_WEAVE || o->partition != PARTITION_VERTICAL)
        return;
    const yaml_node_t *place =
        nodes[JOINT_PROTOCOL] != NULL ? nodes[JOINT_PROTOCOL] : nodes[JOINT_PARTITION];
    if (schema_looks_at_values(d) && place != NULL)
        yaml_walk_warning(
            d->walk, place,
            "with models on sensitive values the party that holds them sees splits that are not "
            "made, and can know records more finely than the release shows them (in a test 17 to "
            "89%% of them; for some of them fewer than k fit); the others learn of their own "
            "proposals whether some part of them breaks the models");
    read_pools(d, nodes[JOINT_POOLS]);
    read_name(d, nodes[JOINT_NAME]);
}
