#include "verify/verify_levels.h"

#include <string.h>

#include "core/error.h"

/* The node that a cell shows, or UINT32_MAX. */
static uint32_t shown(const levels_column *c, const uint32_t *node_of, const column *cells,
                      uint32_t row)
{
    const uint32_t code = cells->codes[row];
    return code == TABLE_MISSING ? c->hierarchy->missing_leaf : node_of[code];
}

/* The node of every text of a column. */
static kith_status find_nodes(uint32_t **node_of, const kith_hierarchy *h, const dictionary *values,
                              arena *memory, kith_error *error)
{
    *node_of = TRY_ARRAY(*node_of, memory, values->count, error);
    TRY(label_index_nodes(*node_of, h, h->tree.n_nodes, values, memory, error));
    /* `*` is the root wherever it is not a label. */
    for (uint32_t code = 0; code < values->count; code++)
        if ((*node_of)[code] == UINT32_MAX && strcmp(dictionary_text(values, code), "*") == 0)
            (*node_of)[code] = tree_root(&h->tree);
    return KITH_OK;
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

/* Of a column of means only the root is a level. */
static bool allowed(const levels_column *c, uint32_t node)
{
    return (c->mean && node != tree_root(&c->hierarchy->tree)) || within(c, node);
}

kith_status verify_levels(levels_report *report, const kith_table *release,
                          const levels_column *columns, uint32_t n_columns,
                          const verify_report *models, arena *memory, kith_error *error)
{
    const classes *grouping = models->grouping;
    *report = (levels_report){.holds = true, .row = UINT32_MAX};
    uint32_t **node_of = TRY_ARRAY(node_of, memory, n_columns, error);
    for (uint32_t i = 0; i < n_columns; i++)
        TRY(find_nodes(&node_of[i], columns[i].hierarchy,
                       &release->columns[columns[i].release].values, memory, error));
    /* All rows of a class show the same. */
    for (uint32_t k = 0; k < grouping->count; k++) {
        uint32_t row = grouping->first[k], wrong = n_columns;
        for (uint32_t i = n_columns; k != models->suppressed_class && i-- > 0;)
            if (!allowed(&columns[i], shown(&columns[i], node_of[i],
                                            &release->columns[columns[i].release], row)))
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
