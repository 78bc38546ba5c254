/* The table as clients get to know it (virtual_labels.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "job/virtual/virtual_labels.h"
#include "study/holders.h"

/* A label with its place in the order of values. */
typedef struct ordered {
    double low, high;
    const char *text;
    uint32_t code;
} ordered;

static int compare_ordered(const void *left, const void *right)
{
    const ordered *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return strcmp(a->text, b->text);
}

/* Makes the labels of a column its values, and every cell one of them. */
static kith_status show_labels(query_domain *d, query_interval *intervals, const char *const *cells,
                               uint32_t n_cells, const kith_study *study, arena *memory,
                               kith_error *error)
{
    ordered *all = TRY_ALLOC(arena_array(memory, n_cells, sizeof *all), error);
    const char **texts = TRY_ALLOC(arena_array(memory, n_cells, sizeof *texts), error);
    bool found;
    virtual_table_name(d, d->name, study, &found);
    for (uint32_t c = 0; c < n_cells; c++)
        if (cells[c] != NULL) {
            texts[d->n_values] = cells[c];
            all[d->n_values++] = (ordered){.text = cells[c], .code = c};
        }
    d->texts = texts;
    TRY(virtual_labels_read(d, study, memory, error));
    for (uint32_t v = 0; v < d->n_values; v++) {
        /* Where a label stands: by its numbers if it says some, labels of any value last, else by
         * its text. An order of the tree would tell more than the labels do. */
        const query_label *l = &d->labels[v];
        const bool any = l->kind == QUERY_LABEL_ANY;
        all[v].low = any ? HUGE_VAL : d->numbers == NULL ? 0 : l->low;
        all[v].high = any || d->numbers == NULL ? 0 : l->high;
    }
    qsort(all, d->n_values, sizeof *all, compare_ordered);
    const query_interval missing = {d->n_values, d->n_values};
    for (uint32_t c = 0; c < n_cells; c++)
        intervals[c] = missing;
    for (uint32_t v = 0; v < d->n_values; v++) {
        texts[v] = all[v].text;
        intervals[all[v].code] = (query_interval){v, v};
    }
    return virtual_labels_read(d, study, memory, error);
}

/* Whether the root may stand for a missing value follows from the study, and not from whether any
 * site has one. */
static void show_root(query_interval *intervals, const query_domain *d, const char *const *cells,
                      uint32_t n_cells, const kith_study *study, uint32_t number)
{
    const kith_hierarchy *file = study->columns[number].loaded;
    const char *root = file == NULL ? "*" : hierarchy_root_label(file);
    const bool misses =
        holders_may_miss(study, number) || (file != NULL && file->missing_leaf != UINT32_MAX);
    for (uint32_t c = 0; c < n_cells && d->n_values > 0; c++)
        if (cells[c] != NULL && strcmp(cells[c], root) == 0 && intervals[c].first == 0)
            intervals[c].last = misses ? d->n_values : d->n_values - 1;
}

static kith_status show_column(virtual_table *view, query_interval **intervals, uint32_t j,
                               const kith_study *study, arena *memory, kith_error *error)
{
    query_domain *d = &view->domains[j];
    const uint32_t n = view->rows.n_codes[j];
    const uint32_t number = study_find_column(study, d->name);
    intervals[j] = TRY_ALLOC(arena_array(memory, n, sizeof **intervals), error);
    if (n > 0)
        memcpy(intervals[j], view->rows.intervals[j], n * sizeof **intervals);
    if (number == UINT32_MAX || study->columns[number].role != ROLE_QUASI_IDENTIFYING)
        return KITH_OK;
    if (virtual_labels_needed(study, d->name))
        return show_labels(d, intervals[j], view->cells[j], n, study, memory, error);
    show_root(intervals[j], d, view->cells[j], n, study, number);
    return KITH_OK;
}

kith_status virtual_labels_view(virtual_table **out, const virtual_table *mine,
                                const kith_study *study, arena *memory, kith_error *error)
{
    const uint32_t n = mine->n_columns;
    virtual_table *view = TRY_ALLOC(arena_zalloc(memory, 1, sizeof *view), error);
    query_interval **intervals = TRY_ALLOC(arena_array(memory, n, sizeof *intervals), error);
    *view = *mine;
    view->memory = NULL; /* not its own */
    view->domains = TRY_ALLOC(arena_array(memory, n, sizeof *view->domains), error);
    if (n > 0)
        memcpy(view->domains, mine->domains, n * sizeof *view->domains);
    for (uint32_t j = 0; j < n; j++)
        TRY(show_column(view, intervals, j, study, memory, error));
    view->rows.intervals = (const query_interval *const *)intervals;
    virtual_table_hash(view);
    *out = view;
    return KITH_OK;
}
