/* Keys of protocol mondrian:
 *
 *     alpha: 0.3            weight of the range in the score of a split
 *     columns: - {step: 5}  values in a cell of the grid at whose borders a column is cut */
#include "study/schema.h"

#include "core/findings.h"

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
