/* What the means of a microaggregated column stand for: in losses the values of their class, to
 * readers of the release one number. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "core/sort.h"
#include "core/text.h"
#include "job/assess/assess_internal.h"
#include "table/typed_value.h"
#include "verify/cover_means.h"

/* The label that a class would show without its mean: the lowest node above the values of its
 * records or, with ranges, from the smallest to the largest. */
static void add_cell(cell_set *set, const prepared_column *col, uint32_t cell, bool ranges)
{
    const bool first = set->kind == CELL_NOTHING;
    ASSERT(cell < col->hierarchy->tree.n_leaves); /* a class with a missing value has no mean */
    if (ranges) {
        const uint32_t rank = col->rank[cell];
        set->a = first || rank < set->a ? rank : set->a;
        set->b = first || rank > set->b ? rank : set->b;
        set->kind = CELL_RANGE;
    } else {
        set->a = first ? cell : tree_lca(&col->hierarchy->tree, set->a, cell);
        set->kind = CELL_NODE;
    }
}

kith_status assess_mean_sets(cell_set *sets, const prepared *p, uint32_t j,
                             const cover_cells *shown, const verify_report *report, bool in_order,
                             const kith_table *texts, kith_error *error)
{
    const prepared_column *col = &p->columns[p->quasi[j]];
    const classes *grouping = report->grouping;
    if (!in_order) {
        error_set(error, KITH_DATA,
                  "%s cannot be compared with the data row by row, so that it is not known which "
                  "values the means in column %s stand for",
                  texts->source, col->study->name);
        return error_hint(error, KITH_DATA,
                          "the mapping of the release (--mapping) says whose row is whose, unless "
                          "the rows are in the order of the data");
    }
    for (uint32_t i = 0; i < grouping->count; i++)
        if (!cover_means_is_label(shown, grouping->first[i]))
            sets[i] = (cell_set){CELL_NOTHING, 0, 0};
    for (uint32_t row = 0; row < texts->n_rows; row++)
        if (!cover_means_is_label(shown, row))
            add_cell(&sets[grouping->class_of[row]], col, p->problem.attributes[j].cells[row],
                     p->study->search.ranges);
    return KITH_OK;
}

kith_status assess_numbers(double **number_at, const prepared *p, uint32_t j, context *c,
                           kith_error *error)
{
    const prepared_column *from = &p->columns[p->quasi[j]];
    const kith_hierarchy *h = from->hierarchy;
    const dictionary *values = &p->table->columns[from->source].values;
    *number_at = arena_array(c->memory, h->tree.n_leaves, sizeof **number_at);
    TRY_ALLOC(*number_at, error);
    for (uint32_t leaf = 0; leaf < h->tree.n_leaves; leaf++)
        if (leaf == h->missing_leaf ||
            !text_decimal(h->label[leaf], strlen(h->label[leaf]), &(*number_at)[from->rank[leaf]]))
            (*number_at)[from->rank[leaf]] = NAN;
    for (uint32_t code = 0; code < values->count; code++)
        (*number_at)[from->rank[from->leaf_of[code]]] =
            values->whole != NULL ? (double)values->whole[code] : values->decimal[code];
    return KITH_OK;
}

bool assess_mean(double *mean, const prepared_column *col, const dictionary *texts, uint32_t code)
{
    const char mark = typed_value_mark(col->study->type, col->study->date_format);
    return code != TABLE_MISSING && typed_value_decimal(dictionary_text(texts, code),
                                                        dictionary_length(texts, code), mark, mean);
}

/* A value of the column, and its position in the order of values. */
typedef struct placed {
    double number;
    uint32_t position;
} placed;

/* Where the value nearest to a number is; `values` is not empty. */
static uint32_t nearest(const placed *values, size_t n, double number)
{
    size_t low = 0, high = n - 1;
    while (low < high) { /* the first that is not smaller, or the last */
        const size_t middle = low + (high - low) / 2;
        if (values[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0 && number - values[low - 1].number < values[low].number - number)
        low--;
    return values[low].position;
}

kith_status assess_nearest(query_cell *cells, const prepared *p, uint32_t j,
                           const cover_cells *shown, const kith_table *texts,
                           const verify_report *report, context *c, kith_error *error)
{
    const prepared_column *col = &p->columns[p->quasi[j]];
    const column *released = &texts->columns[shown->column->release];
    const uint32_t n_leaves = col->hierarchy->tree.n_leaves;
    double *number_at;
    size_t n = 0;
    TRY(assess_numbers(&number_at, p, j, c, error));
    placed *values = TRY_ARRAY(values, c->memory, n_leaves, error);
    for (uint32_t i = 0; i < n_leaves; i++)
        if (!isnan(number_at[i]))
            values[n++] = (placed){number_at[i], i};
    if (n > 0)
        qsort(values, n, sizeof *values, sort_double);
    for (uint32_t i = 0; i < report->grouping->count; i++) {
        const uint32_t row = report->grouping->first[i];
        double mean;
        if (cover_means_is_label(shown, row))
            continue;
        if (n == 0 || !assess_mean(&mean, col, &released->values, released->codes[row]))
            return assess_refuse_label(texts, row, released, error);
        const uint32_t position = nearest(values, n, mean);
        cells[i] = (query_cell){true, position, position};
    }
    return KITH_OK;
}
