/* What a release shows of each class, as sets of values. */
#include "core/error.h"
#include "job/assess/assess_internal.h"
#include "verify/cover_means.h"

/* An empty interval where a text means nothing. */
static query_cell cell_of(cell_set set, const tree *t)
{
    switch (set.kind) {
    case CELL_NODE: return (query_cell){false, t->first[set.a], t->end[set.a] - 1};
    case CELL_RANGE: return (query_cell){true, set.a, set.b};
    case CELL_ALL: return (query_cell){false, 0, t->n_leaves - 1};
    default: return (query_cell){false, 1, 0};
    }
}

/* What each class shows; all rows of a class show the same, so its first row is enough. */
static kith_status find_cells(query_cell *cells, query_cell *by_text, const prepared *p, uint32_t j,
                              const kith_table *texts, const verify_report *report, context *c,
                              kith_error *error)
{
    const prepared_column *from = &p->columns[p->quasi[j]];
    const classes *grouping = report->grouping;
    cover_column compared;
    cover_cells shown;
    TRY(assess_cover_column(&compared, from, texts, error));
    TRY(cover_cells_init(&shown, c->memory, texts, p->table, &compared, p->study->search.ranges,
                         error));
    const column *released = &texts->columns[compared.release];
    const uint32_t n_texts = released->values.count;
    for (uint32_t code = 0; code <= n_texts; code++)
        by_text[code] = cell_of(shown.sets[code], &from->hierarchy->tree);
    for (uint32_t i = 0; i < grouping->count; i++) {
        const uint32_t row = grouping->first[i], code = released->codes[row];
        cells[i] = by_text[code == TABLE_MISSING ? n_texts : code];
        if (compared.mean && !cover_means_is_label(&shown, row))
            continue;
        if (cells[i].first > cells[i].last)
            return assess_refuse_label(texts, row, released, error);
    }
    if (!compared.mean)
        return KITH_OK;
    TRY(assess_nearest(cells, p, j, &shown, texts, report, c, error));
    for (uint32_t i = 0; i < grouping->count; i++) {
        const uint32_t code = released->codes[grouping->first[i]];
        by_text[code == TABLE_MISSING ? n_texts : code] = cells[i];
    }
    return KITH_OK;
}

static kith_status show_column(query_column *to, const query_cell **by_text, const prepared *p,
                               uint32_t j, const kith_table *texts, const verify_report *report,
                               context *c, kith_error *error)
{
    uint32_t at;
    /* Positions of the original values, in the order of values. */
    const prepared_column *from = &p->columns[p->quasi[j]];
    const attribute *a = &p->problem.attributes[j];
    const kith_hierarchy *h = from->hierarchy;
    uint32_t *positions = TRY_ARRAY(positions, c->memory, p->n_rows, error);
    for (uint32_t i = 0; i < p->n_rows; i++) {
        const uint32_t cell = a->cells[i];
        const bool known = cell < a->tree->n_leaves && cell != h->missing_leaf;
        positions[i] = known ? from->rank[cell] : QUERY_NO_VALUE;
    }
    to->positions = positions;
    to->rank = from->rank;
    to->n_leaves = a->tree->n_leaves;
    to->n_values = to->n_leaves - (h->missing_leaf != UINT32_MAX);
    TRY(assess_find_column(&at, texts, p->columns[p->quasi[j]].study->name, error));
    const size_t n_texts = texts->columns[at].values.count;
    query_cell *own = TRY_ARRAY(own, c->memory, n_texts + 1, error);
    query_cell *cells = TRY_ARRAY(cells, c->memory, report->grouping->count, error);
    *by_text = own;
    to->cells = cells;
    return find_cells(cells, own, p, j, texts, report, c, error);
}

kith_status assess_shown(assess_cells *shown, const prepared *p, const kith_table *texts,
                         const verify_report *report, context *c, kith_error *error)
{
    const uint32_t n = p->problem.n_attributes;
    query_column *columns = TRY_ZEROS(columns, c->memory, n, error);
    const query_cell **by_text = TRY_ARRAY(by_text, c->memory, n, error);
    for (uint32_t j = 0; j < n; j++)
        TRY(show_column(&columns[j], &by_text[j], p, j, texts, report, c, error));
    shown->by_class = (query_input){.n_records = p->n_rows,
                                    .n_columns = n,
                                    .columns = columns,
                                    .n_classes = report->grouping->count,
                                    .sizes = report->grouping->size,
                                    .ranks = c->ranks};
    shown->by_text = by_text;
    return KITH_OK;
}
