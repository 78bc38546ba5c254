/* Levels of hierarchies that a release may show: bounds of single columns (schema_columns.c), and
 *
 *     levels: {age: 2, zip: 1}
 *
 * a node of the lattice: every quasi-identifier at one level, those that are not listed at 0. It is
 * the same as both bounds of every column. */
#include "study/schema.h"

/* seen[] tells a repeated column from one that has not been listed. */
static void read_level(study_draft *d, const yaml_node_t *key, const yaml_node_t *value, bool *seen)
{
    study_column *found = schema_refer_column(d, key, "levels");
    uint32_t level;
    if (found == NULL)
        return;
    if (found->role != ROLE_QUASI_IDENTIFYING)
        yaml_walk_problem(d->walk, key, "levels: column '%s' is not quasi-identifying (line %zu)",
                          found->name, found->line);
    else if (seen[found - d->columns])
        yaml_walk_problem(d->walk, key, "levels: column '%s' is given twice", found->name);
    else if (yaml_walk_whole(d->walk, value, "levels", 0, &level))
        found->min_level = found->max_level = level;
    seen[found - d->columns] = true;
}

/* Bounds beside levels would have no effect, or contradict them. */
static void refuse_bounds(study_draft *d, const yaml_node_t *node)
{
    for (uint32_t i = 0; i < d->study->n_columns; i++)
        if (d->columns[i].min_level > 0 || d->columns[i].max_level != STUDY_ANY_LEVEL) {
            yaml_walk_problem(d->walk, node,
                              "levels: column '%s' has min_level or max_level, which are for "
                              "searches (line %zu)",
                              d->columns[i].name, d->columns[i].line);
            return;
        }
}

void schema_levels(study_draft *d, const yaml_node_t *node)
{
    if (node == NULL)
        return;
    refuse_bounds(d, node);
    d->levels = node;
    d->study->has_levels = true;
    for (uint32_t i = 0; i < d->study->n_columns; i++)
        if (d->columns[i].role == ROLE_QUASI_IDENTIFYING)
            d->columns[i].min_level = d->columns[i].max_level = 0;
    bool *seen = arena_zalloc(d->walk->memory, d->study->n_columns, sizeof *seen);
    d->walk->nomem = d->walk->nomem || seen == NULL;
    size_t count = yaml_walk_pairs(d->walk, node, "levels");
    for (size_t i = 0; i < count && seen != NULL; i++) {
        const yaml_node_t *key, *value;
        yaml_walk_pair(d->walk, node, i, &key, &value);
        read_level(d, key, value, seen);
    }
}

/* Only searches of the lattice give all cells of a column the same level. */
static void check_algorithm(study_draft *d, const algorithm *a)
{
    const char *able[33] = {NULL};
    uint32_t count = 0;
    if (d->levels == NULL || (a->global && !a->cuts))
        return;
    for (uint32_t i = 0; count < 32 && search_at(i) != NULL; i++)
        if (search_at(i)->global && !search_at(i)->cuts &&
            search_minimizes(search_at(i), d->study->measure))
            able[count++] = search_at(i)->name;
    char list[160];
    schema_list(list, sizeof list, able);
    yaml_walk_problem(d->walk, d->levels,
                      "levels: algorithm %s does not give all cells of a column one level; %s%s",
                      a->name, count > 0 ? "these do: " : "none does that minimizes the measure ",
                      count > 0 ? list : measure_at(d->study->measure)->name);
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
