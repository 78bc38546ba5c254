/* Keys that a single protocol has.
 *
 *     alpha: 0.3             mondrian: weight of the range in the score of a split
 *     columns: - {step: 5}   mondrian: values in a cell of the grid at whose borders a column is cut
 *     name: true | false     weave over columns: other sites name records that should be lent
 *     pools: true | false    weave over columns: small rests leave for pools: less loss, and sites
 *                            know more
 *     master, replicas, pregeneralize, unmatched    the encrypted view */
#include "study/schema/schema.h"

#include <string.h>

#include "core/findings.h"
#include "core/text.h"

/* --- mondrian --- */

/* Mondrian: the weight of the range in the score of a split. The rest is for how evenly the sites'
 * records are distributed, which matters only if classes must have records of several sites. */
void schema_mondrian_alpha(study_draft *d, const yaml_node_t *node)
{
    protocol_options *o = &d->study->joint;
    bool sites = false;
    if (o->protocol != PROTOCOL_MONDRIAN)
        return;
    for (uint32_t i = 0; i < o->n_site_models; i++)
        sites = sites || (o->site_models[i].variant == VARIANT_SITES && o->site_models[i].l > 1);
    o->alpha = sites ? 0.3 : 1;
    if (schema_share(d, node, "alpha", "a weight from 0 to 1", &o->alpha) && o->alpha < 1 && !sites)
        yaml_walk_problem(d->walk, node,
                          "alpha below 1 scores the sites of a split: it needs the model "
                          "l-site-diversity, variant sites");
}

/* Mondrian cuts numbers and dates at the borders of a public grid: the lowest intervals of the
 * hierarchy, or cells of `step` values. */
void schema_mondrian_grid(study_draft *d)
{
    const search_spec *spec = &d->study->search;
    for (uint32_t i = 0; i < d->study->n_columns; i++) {
        const study_column *c = &d->columns[i];
        const bool quasi = c->role == ROLE_QUASI_IDENTIFYING;
        const bool ordered =
            spec->regions && quasi && (c->type != KITH_TYPE_STRING || spec->all_ordered);
        if (c->step > 0 && !ordered)
            findings_add(d->walk->findings, KITH_SEVERITY_PROBLEM, d->walk->file, c->line, 0,
                         "column %s: step is for numbers and dates that protocol mondrian cuts",
                         c->name);
        if (ordered && c->step == 0 && c->hierarchy.kind == HIERARCHY_SUPPRESS &&
            c->type != KITH_TYPE_STRING)
            findings_add(d->walk->findings, KITH_SEVERITY_PROBLEM, d->walk->file, c->line, 0,
                         "column %s: protocol mondrian cuts at public borders: give it a "
                         "hierarchy such as {intervals: [5, 10]}, or 'step: N' for cells of N "
                         "values",
                         c->name);
    }
}

/* --- weave over columns --- */

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

/* --- the encrypted view --- */

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

void schema_view(study_draft *d, const yaml_node_t *const *nodes)
{
    static const char *const unmatched[] = {"drop", "error", NULL};
    protocol_options *o = &d->study->joint;
    size_t choice;
    read_master(d, nodes[JOINT_MASTER]);
    if (yaml_walk_whole(d->walk, nodes[JOINT_REPLICAS], "replicas", 1, &o->n_replicas) &&
        o->n_replicas > 1 && o->master != PROTOCOL_MASTER_EXTERNAL)
        yaml_walk_problem(d->walk, nodes[JOINT_REPLICAS], "replicas need master: external");
    if (nodes[JOINT_PREGENERALIZE] != NULL)
        o->pregeneralize = yaml_walk_alloc(d->walk, d->study->n_columns, sizeof *o->pregeneralize);
    if (o->pregeneralize != NULL)
        schema_each_column(d, nodes[JOINT_PREGENERALIZE], "pregeneralize", read_pregeneralize);
    if (yaml_walk_choice(d->walk, nodes[JOINT_UNMATCHED], "unmatched", unmatched, &choice))
        o->drop_unmatched = choice == 0;
}
