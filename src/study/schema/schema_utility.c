/* Section `utility`: what the search minimizes, and what it may give up.
 *
 *     utility:
 *       measure: lm
 *       suppression: 0.05              share of the records that may be suppressed
 *       weights: {age: 2, zip: 0.5} */
#include "study/schema/schema.h"

#include <string.h>

enum { MEASURE, SUPPRESSION, WEIGHTS, CLASS, NORM, W, KEYS };

const yaml_key schema_utility_keys[] = {
    [MEASURE] = {"measure", false, NULL}, [SUPPRESSION] = {"suppression", false, NULL},
    [WEIGHTS] = {"weights", false, NULL}, [CLASS] = {"class", false, NULL},
    [NORM] = {"norm", false, NULL},       [W] = {"w", false, NULL},
    [KEYS] = {NULL, false, NULL},
};

/* Some measures are computed for every release, but no search minimizes them. Their names are
 * known, so that the message can say so instead of calling them unknown. */
static void read_measure(study_draft *d, const yaml_node_t *node)
{
    /* What some search can minimize. Whether the study's algorithm can is looked at when that is
     * known. */
    const char *names[MEASURE_COUNT + 1] = {NULL};
    size_t count = 0, choice;
    for (measure_id id = 0; id < MEASURE_COUNT; id++)
        if (measure_at(id)->additive || measure_at(id)->lattice)
            names[count++] = measure_at(id)->name;
    const measure_info *known =
        yaml_walk_is_text(node) ? measure_find((const char *)node->data.scalar.value) : NULL;
    if (known != NULL && !known->additive && !known->lattice) {
        char list[128];
        yaml_walk_list(list, sizeof list, names, ", ");
        yaml_walk_problem(d->walk, node,
                          "measure: %s is computed for every release but cannot be minimized by "
                          "a search; those that can are %s",
                          known->name, list);
    } else if (yaml_walk_choice(d->walk, node, "measure", names, &choice))
        d->study->measure = measure_find(names[choice])->id;
}

/* How pmi puts attributes together. All three are computed for every release. */
static void read_norm(study_draft *d, const yaml_node_t *node)
{
    static const char *const norms[] = {"1", "2", "max", NULL};
    size_t choice;
    if (node != NULL && d->study->measure != MEASURE_PMI)
        yaml_walk_problem(d->walk, node, "norm: belongs to the measure pmi");
    else if (yaml_walk_choice(d->walk, node, "norm", norms, &choice) && choice > 0)
        yaml_walk_problem(d->walk, node,
                          "norm: pmi with norm %s is computed for every release but cannot be "
                          "minimized by clustering; norm 1 can",
                          norms[choice]);
}

/* Measures that look at a sensitive attribute need one. */
static void check_sensitive(study_draft *d, const yaml_node_t *node)
{
    const char *name = measure_at(d->study->measure)->name;
    bool sensitive = false;
    for (uint32_t i = 0; i < d->study->n_columns; i++)
        sensitive |= d->columns[i].role == ROLE_SENSITIVE &&
                     (d->study->class_column == NULL ||
                      strcmp(d->study->class_column, d->columns[i].name) == 0);
    if (sensitive || d->study->n_columns == 0)
        return;
    if (d->study->class_column != NULL)
        yaml_walk_problem(d->walk, node,
                          "measure: %s needs a sensitive column, and '%s' is not one", name,
                          d->study->class_column);
    else
        yaml_walk_problem(d->walk, node, "measure: %s needs a sensitive column, and there is none",
                          name);
}

static void read_weight(study_draft *d, study_column *c, const yaml_node_t *value)
{
    double weight;
    if (!yaml_walk_number(d->walk, value, "weights", &weight))
        return;
    if (weight < 0)
        yaml_walk_expected(d->walk, value, "weights", "a number of at least 0");
    else
        c->weight = weight;
}

/* With all weights 0 every release has the loss 0, and the search has nothing to choose by. */
static void read_weights(study_draft *d, const yaml_node_t *node)
{
    size_t before = kith_findings_n_problems(d->walk->findings);
    schema_each_column(d, node, "weights", read_weight);
    double sum = 0;
    for (uint32_t i = 0; i < d->study->n_columns; i++)
        if (d->columns[i].role == ROLE_QUASI_IDENTIFYING)
            sum += d->columns[i].weight;
    if (node != NULL && sum == 0 && d->study->n_columns > 0 &&
        kith_findings_n_problems(d->walk->findings) == before)
        yaml_walk_problem(d->walk, node, "weights: all are 0, so there is nothing to minimize");
}

/* The column that cm predicts, or whose values pmi and wmi look at. */
static void read_class(study_draft *d, const yaml_node_t *node)
{
    const study_column *found = schema_refer_column(d, node, "class");
    if (found == NULL)
        return;
    if (found->role == ROLE_IDENTIFYING)
        yaml_walk_problem(d->walk, node, "class: column '%s' is identifying (line %zu)",
                          found->name, found->line);
    else
        d->study->class_column = found->name;
}

/* The defaults are lm and, for wmi, both parts alike. */
void schema_utility(study_draft *d, const yaml_node_t *node)
{
    d->study->measure = MEASURE_LM;
    d->study->w = 0.5;
    if (node == NULL)
        return;
    const yaml_node_t *values[KEYS];
    yaml_walk_map(d->walk, node, "utility", schema_utility_keys, values);
    read_measure(d, values[MEASURE]);
    /* Where the key stands is remembered: schema_search warns there if it changes the algorithm. */
    if (schema_share(d, values[SUPPRESSION], "suppression", "a share from 0 to 1",
                     &d->study->suppression))
        d->suppression = values[SUPPRESSION];
    read_weights(d, values[WEIGHTS]);
    read_class(d, values[CLASS]);
    read_norm(d, values[NORM]);
    if (values[W] != NULL && d->study->measure != MEASURE_WMI)
        yaml_walk_problem(d->walk, values[W], "w: belongs to the measure wmi");
    else
        schema_share(d, values[W], "w", "a weight from 0 to 1", &d->study->w);
    if (measure_at(d->study->measure)->uses_sensitive)
        check_sensitive(d, values[MEASURE]);
}
