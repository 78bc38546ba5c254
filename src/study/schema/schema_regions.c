/* A key of columns for protocols whose classes are regions of a grid:
 *
 *     columns: - {step: 5}    values in a cell of the grid at whose borders a column is cut */
#include "core/findings.h"
#include "study/schema/schema.h"

/* Mondrian cuts numbers and dates at the borders of a public grid: the lowest intervals of the
 * hierarchy, or cells of `step` values. */
void schema_regions(study_draft *d)
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
