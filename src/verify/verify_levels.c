#include "verify/verify_levels.h"

#include <string.h>

#include "core/error.h"

/* The node that a cell shows, or UINT32_MAX. */
static uint32_t shown(const levels_column *c, const label_index *labels, const column *cells,
                      uint32_t row)
{
    uint32_t code = cells->codes[row];
    if (code == TABLE_MISSING)
        return c->hierarchy->missing_leaf;
    const char *text = dictionary_text(&cells->values, code);
    uint32_t node = label_index_find(labels, text);
    /* `*` is the root wherever it is not a label. */
    return node == UINT32_MAX && strcmp(text, "*") == 0 ? tree_root(&c->hierarchy->tree) : node;
}

/* Compares sets of leaves. */
static bool within(const levels_column *c, uint32_t node)
{
    const tree *t = &c->hierarchy->tree;
    if (node == UINT32_MAX)
        return false;
    uint32_t least = tree_up(t, t->first[node], c->min_level);
    uint32_t most = tree_up(t, t->first[node], c->max_level);
    return t->first[node] <= t->first[least] && t->end[least] <= t->end[node] &&
           t->first[most] <= t->first[node] && t->end[node] <= t->end[most];
}

kith_status verify_levels(levels_report *report, const kith_table *release,
                          const levels_column *columns, uint32_t n_columns,
                          const verify_report *models, arena *memory, kith_error *error)
{
    const classes *grouping = models->grouping;
    *report = (levels_report){.holds = true, .row = UINT32_MAX};
    label_index **labels = TRY_ALLOC(arena_array(memory, n_columns, sizeof *labels), error);
    for (uint32_t i = 0; i < n_columns; i++)
        TRY(label_index_new(&labels[i], memory, columns[i].hierarchy, error));
    /* All rows of a class show the same. */
    for (uint32_t k = 0; k < grouping->count; k++) {
        uint32_t row = grouping->first[k], wrong = n_columns;
        for (uint32_t i = n_columns; k != models->suppressed_class && i-- > 0;)
            if (!columns[i].mean &&
                !within(&columns[i],
                        shown(&columns[i], labels[i], &release->columns[columns[i].release], row)))
                wrong = i;
        if (wrong == n_columns)
            continue;
        report->holds = false;
        report->n_wrong_rows += grouping->size[k];
        if (row < report->row) {
            report->row = row;
            report->column = wrong;
        }
    }
    return KITH_OK;
}
