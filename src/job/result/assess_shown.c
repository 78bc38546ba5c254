/* What a release shows of each class, as sets of values. */
#include "core/error.h"
#include "job/result/assess_internal.h"
#include "verify/cover_means.h"

/* Positions of the original values, in the order of values. */
static kith_status find_positions(query_column *to, const prepared *p, uint32_t j, context *c,
                                  kith_error *error)
{
    const prepared_column *from = &p->columns[p->quasi[j]];
    const attribute *a = &p->problem.attributes[j];
    const kith_hierarchy *h = from->hierarchy;
    uint32_t *positions = TRY_ALLOC(arena_array(c->memory, p->n_rows, sizeof *positions), error);
    for (uint32_t i = 0; i < p->n_rows; i++) {
        const uint32_t cell = a->cells[i];
        const bool known = cell < a->tree->n_leaves && cell != h->missing_leaf;
        positions[i] = known ? from->rank[cell] : QUERY_NO_VALUE;
    }
    to->positions = positions;
    to->rank = from->rank;
    to->n_leaves = a->tree->n_leaves;
    to->n_values = to->n_leaves - (h->missing_leaf != UINT32_MAX);
    return KITH_OK;
}

/* What each class shows; all rows of a class show the same, so its first row is enough. */
static kith_status find_cells(query_column *to, const prepared *p, uint32_t j,
                              const kith_table *texts, const verify_report *report, context *c,
                              kith_error *error)
{
    const prepared_column *from = &p->columns[p->quasi[j]];
    const tree *t = &from->hierarchy->tree;
    cover_column compared;
    cover_cells shown;
    query_cell *cells =
        TRY_ALLOC(arena_array(c->memory, report->grouping->count, sizeof *cells), error);
    TRY(assess_cover_column(&compared, from, texts, error));
    TRY(cover_cells_init(&shown, c->memory, texts, p->table, &compared, p->study->search.ranges,
                         error));
    for (uint32_t i = 0; i < report->grouping->count; i++) {
        const uint32_t row = report->grouping->first[i];
        const cell_set set = cover_cells_set(&shown, row);
        if (compared.mean && !cover_means_is_label(&shown, row))
            continue;
        switch (set.kind) {
        case CELL_NODE: cells[i] = (query_cell){false, t->first[set.a], t->end[set.a] - 1}; break;
        case CELL_RANGE: cells[i] = (query_cell){true, set.a, set.b}; break;
        case CELL_ALL: cells[i] = (query_cell){false, 0, t->n_leaves - 1}; break;
        default: return assess_refuse_label(texts, row, &texts->columns[compared.release], error);
        }
    }
    to->cells = cells;
    return compared.mean ? assess_nearest(cells, p, j, &shown, texts, report, c, error) : KITH_OK;
}

kith_status assess_shown(query_input *in, const prepared *p, const kith_table *texts,
                         const verify_report *report, context *c, kith_error *error)
{
    const uint32_t n = p->problem.n_attributes;
    query_column *columns = TRY_ALLOC(arena_zalloc(c->memory, n, sizeof *columns), error);
    for (uint32_t j = 0; j < n; j++) {
        TRY(find_positions(&columns[j], p, j, c, error));
        TRY(find_cells(&columns[j], p, j, texts, report, c, error));
    }
    *in = (query_input){.n_records = p->n_rows,
                        .n_columns = n,
                        .columns = columns,
                        .n_classes = report->grouping->count,
                        .sizes = report->grouping->size};
    return KITH_OK;
}
