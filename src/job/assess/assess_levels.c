#include "job/assess/assess_levels.h"

#include "core/run/ranks.h"
#include "core/error.h"
#include "verify/classes.h"

/* How many rows that are not suppressed have each code of a released column, on all ranks; the last
 * entry is the missing cell. */
static kith_status count_shown(uint64_t **shown, const column *of, uint32_t n_rows,
                               const verify_report *verified, context *c, kith_error *error)
{
    const size_t n = (size_t)of->values.count + 1;
    *shown = TRY_ZEROS(*shown, c->memory, n, error);
    for (uint32_t row = 0; row < n_rows; row++)
        if (verified->grouping->class_of[row] != verified->suppressed_class)
            (*shown)[of->codes[row] == TABLE_MISSING ? of->values.count : of->codes[row]]++;
    return ranks_sum(c->ranks, *shown, n, error);
}

/* Unknown if there is no cell, or one that is not in the hierarchy. */
static kith_status find_levels(shown_levels *to, const kith_hierarchy *h, const dictionary *values,
                               const uint64_t *shown, arena *memory, kith_error *error)
{
    uint32_t *node_of = TRY_ARRAY(node_of, memory, values->count, error);
    TRY(label_index_nodes(node_of, h, h->tree.n_nodes, values, memory, error));
    *to = (shown_levels){.lowest = UINT32_MAX};
    for (uint32_t code = 0; code <= values->count; code++) {
        if (shown[code] == 0)
            continue;
        const uint32_t node = code < values->count ? node_of[code] : label_index_empty(h);
        to->known = node != UINT32_MAX;
        if (!to->known)
            return KITH_OK;
        const uint32_t level = h->tree.level[node];
        to->lowest = level < to->lowest ? level : to->lowest;
        to->highest = level > to->highest ? level : to->highest;
    }
    return KITH_OK;
}

kith_status assess_levels_shown(shown_levels **levels, const prepared *p, const kith_table *release,
                                const verify_report *verified, context *c, kith_error *error)
{
    const uint32_t n = p->problem.n_attributes;
    *levels = TRY_ZEROS(*levels, c->memory, n, error);
    for (uint32_t j = 0; j < n; j++) {
        const prepared_column *of = &p->columns[p->quasi[j]];
        const column *released = &release->columns[table_find(release, of->study->name)];
        uint64_t *shown = NULL;
        TRY(count_shown(&shown, released, release->n_rows, verified, c, error));
        if (!of->study->mean)
            TRY(find_levels(&(*levels)[j], of->hierarchy, &released->values, shown, c->memory,
                            error));
    }
    return KITH_OK;
}

void assess_levels_put(kith_document *d, document_node *root, const prepared *p,
                       const shown_levels *levels)
{
    document_node *all = document_object(d, root, "attribute_levels");
    for (uint32_t j = 0; j < p->problem.n_attributes; j++) {
        if (!levels[j].known)
            continue;
        document_node *one = document_object(d, all, p->columns[p->quasi[j]].study->name);
        document_put_count(d, one, "lowest", levels[j].lowest);
        document_put_count(d, one, "highest", levels[j].highest);
    }
}
