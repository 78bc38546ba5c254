#include "job/result/assess_levels.h"

#include "core/error.h"
#include "verify/classes.h"

/* The codes of a released column that rows have which are not suppressed; the last entry is the
 * missing cell. */
static kith_status shown_codes(bool **shown, const column *c, uint32_t n_rows,
                               const verify_report *verified, arena *memory, kith_error *error)
{
    *shown = arena_zalloc(memory, (size_t)c->values.count + 1, sizeof **shown);
    TRY_ALLOC(*shown, error);
    for (uint32_t row = 0; row < n_rows; row++)
        if (verified->grouping->class_of[row] != verified->suppressed_class)
            (*shown)[c->codes[row] == TABLE_MISSING ? c->values.count : c->codes[row]] = true;
    return KITH_OK;
}

/* False if there is no cell, or one that is not in the hierarchy. */
static kith_status find_levels(bool *found, uint32_t *lowest, uint32_t *highest,
                               const kith_hierarchy *h, const column *c, const bool *shown,
                               arena *memory, kith_error *error)
{
    const dictionary *values = &c->values;
    uint32_t *node_of = TRY_ALLOC(arena_array(memory, values->count, sizeof *node_of), error);
    TRY(label_index_nodes(node_of, h, h->tree.n_nodes, values, memory, error));
    *found = false;
    *lowest = UINT32_MAX;
    *highest = 0;
    for (uint32_t code = 0; code <= values->count; code++) {
        if (!shown[code])
            continue;
        uint32_t node = code < values->count ? node_of[code] : label_index_empty(h);
        *found = node != UINT32_MAX;
        if (!*found)
            return KITH_OK;
        uint32_t level = h->tree.level[node];
        *lowest = level < *lowest ? level : *lowest;
        *highest = level > *highest ? level : *highest;
    }
    return KITH_OK;
}

kith_status assess_levels_put(kith_document *d, document_node *root, const prepared *p,
                              const kith_table *release, const verify_report *verified,
                              arena *memory, kith_error *error)
{
    document_node *all = document_object(d, root, "attribute_levels");
    for (uint32_t j = 0; j < p->problem.n_attributes; j++) {
        const prepared_column *c = &p->columns[p->quasi[j]];
        const column *released = &release->columns[table_find(release, c->study->name)];
        bool *shown, found = false;
        uint32_t lowest, highest;
        TRY(shown_codes(&shown, released, release->n_rows, verified, memory, error));
        TRY(find_levels(&found, &lowest, &highest, c->hierarchy, released, shown, memory, error));
        if (!found || c->study->mean)
            continue;
        document_node *one = document_object(d, all, c->study->name);
        document_put_count(d, one, "lowest", lowest);
        document_put_count(d, one, "highest", highest);
    }
    return KITH_OK;
}
