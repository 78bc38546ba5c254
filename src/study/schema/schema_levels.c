/* Levels of hierarchies that a release may show: bounds of single columns (schema_columns.c), and
 *
 *     levels: {age: 2, zip: 1}
 *
 * a node of the lattice: every quasi-identifier at one level, those that are not listed at 0. It is
 * the same as both bounds of every column. */
#include "study/schema/schema.h"

static void read_level(study_draft *d, study_column *c, const yaml_node_t *value)
{
    uint32_t level;
    if (yaml_walk_whole(d->walk, value, "levels", 0, &level))
        c->min_level = c->max_level = level;
}

void schema_levels(study_draft *d, const yaml_node_t *node)
{
    if (node == NULL)
        return;
    d->levels = node;
    d->study->has_levels = true;
    const study_column *bounded = NULL;
    for (uint32_t i = 0; i < d->study->n_columns; i++) {
        study_column *c = &d->columns[i];
        if (bounded == NULL && (c->min_level > 0 || c->max_level != STUDY_ANY_LEVEL))
            bounded = c;
        if (c->role == ROLE_QUASI_IDENTIFYING)
            c->min_level = c->max_level = 0;
    }
    if (bounded != NULL) /* bounds would have no effect, or contradict the levels */
        yaml_walk_problem(d->walk, node,
                          "levels: column '%s' has min_level or max_level, which are for searches "
                          "(line %zu)",
                          bounded->name, bounded->line);
    schema_each_column(d, node, "levels", read_level);
}

/* Only searches of the lattice give all cells of a column the same level. */
static void check_algorithm(study_draft *d, const algorithm *a)
{
    char list[SCHEMA_ALGORITHMS];
    uint32_t able = 0;
    if (d->levels == NULL || (a->global && !a->cuts))
        return;
    for (uint32_t i = 0; search_at(i) != NULL; i++)
        able |= (uint32_t)(search_at(i)->global && !search_at(i)->cuts &&
                           search_minimizes(search_at(i), d->study->measure))
                << i;
    yaml_walk_problem(d->walk, d->levels,
                      "levels: algorithm %s does not give all cells of a column one level; %s%s",
                      a->name, able != 0 ? "these do: " : "none does that minimizes the measure ",
                      able != 0 ? schema_algorithms(list, able)
                                : measure_at(d->study->measure)->name);
}

void schema_levels_check(study_draft *d, const yaml_node_t *root)
{
    const kith_study *study = d->study;
    const algorithm *a = search_find(study->algorithm);
    bool low = false, any = false;
    for (uint32_t i = 0; i < study->n_columns; i++) {
        low |= d->columns[i].min_level > 0;
        any |= d->columns[i].min_level > 0 || d->columns[i].max_level != STUDY_ANY_LEVEL;
    }
    const char *what = d->levels != NULL ? "levels" : "min_level and max_level";
    const yaml_node_t *place = d->levels != NULL ? d->levels : root;
    if (!any || a == NULL)
        return;
    check_algorithm(d, a);
    if (study->joint.partition != PARTITION_NONE)
        yaml_walk_problem(d->walk, place, "%s: no protocol of joint runs keeps them", what);
    if (study->search.ranges)
        yaml_walk_problem(d->walk, place, "%s: a range has no level; leave ranges out", what);
    for (uint32_t i = 0; i < study->n_models; i++)
        if (low && study->models[i].id == MODEL_K_MAP && (!a->global || a->cuts))
            yaml_walk_problem(d->walk, place,
                              "%s: algorithm %s cannot keep k-map above a min_level; flash can",
                              what, a->name);
}
