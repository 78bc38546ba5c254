#include <stdlib.h>

#include "core/error.h"
#include "core/sort.h"
#include "job/analysis/analysis.h"

/* Shares of the records by position of the value. */
typedef struct shares {
    double *before, *after; /* [n_leaves] */
} shares;

static kith_status count_shares(shares *s, const analysis_column *counted, const query_column *q,
                                context *c, kith_error *error)
{
    const size_t n = q->n_leaves;
    s->before = arena_zalloc(c->memory, n + 1, sizeof *s->before);
    s->after = arena_zalloc(c->memory, n + 1, sizeof *s->after);
    double *by_leaf = arena_zalloc(c->memory, n + 1, sizeof *by_leaf);
    if (s->before == NULL || s->after == NULL || by_leaf == NULL)
        return error_nomem(error);
    double n_known = 0, n_shown = 0;
    for (size_t i = 0; i < n; i++) {
        s->before[i] = (double)counted->records[i];
        n_known += s->before[i];
    }
    /* The weight of a text goes to all that its cell covers, in equal parts: what is added at the
     * first place and taken off behind the last becomes a sum over all places before. */
    for (uint32_t code = 0; code <= counted->n_texts; code++) {
        const query_cell cell = counted->cells[code];
        if (counted->rows[code] == 0)
            continue;
        double *steps = cell.by_position ? s->after : by_leaf;
        const double part = (double)counted->rows[code] / ((double)cell.last - cell.first + 1);
        steps[cell.first] += part;
        steps[cell.last + 1] -= part;
    }
    for (size_t i = 1; i < n; i++) {
        s->after[i] += s->after[i - 1];
        by_leaf[i] += by_leaf[i - 1];
    }
    for (size_t i = 0; i < n; i++)
        s->after[q->rank[i]] += by_leaf[i];
    for (uint32_t i = 0; i < q->n_values; i++)
        n_shown += s->after[i];
    for (size_t i = 0; i < n; i++) {
        s->before[i] = n_known > 0 ? s->before[i] / n_known : 0;
        s->after[i] = n_shown > 0 ? s->after[i] / n_shown : 0;
    }
    arena_release(c->memory, by_leaf, (n + 1) * sizeof *by_leaf);
    return KITH_OK;
}

/* Numbers and dates: bins of neighbouring values, from the first that the data has to the last. */
static kith_status bin_ordered(distribution *to, const shares *s, const char *const *labels,
                               uint32_t n_values, context *c, kith_error *error)
{
    uint32_t first = 0, end = n_values;
    while (first < end && s->before[first] <= 0)
        first++;
    while (end > first && s->before[end - 1] <= 0)
        end--;
    const uint32_t count = end - first;
    const uint32_t n_bins = count < DISTRIBUTION_BINS ? count : DISTRIBUTION_BINS;
    for (uint32_t b = 0; b < n_bins; b++) {
        const uint32_t from = first + (uint32_t)((uint64_t)count * b / n_bins);
        const uint32_t to_end = first + (uint32_t)((uint64_t)count * (b + 1) / n_bins);
        distribution_bin *bin = &to->bins[to->n_bins++];
        *bin = (distribution_bin){0};
        for (uint32_t i = from; i < to_end; i++) {
            bin->before += s->before[i];
            bin->after += s->after[i];
        }
        bin->label = to_end - from == 1
                         ? labels[from]
                         : arena_printf(c->memory, "%s to %s", labels[from], labels[to_end - 1]);
        TRY_ALLOC(bin->label, error);
    }
    return KITH_OK;
}

typedef struct ranked_value {
    double share;
    uint32_t position;
} ranked_value;

/* Other values: the most frequent ones of the data, and all others together. */
static kith_status bin_frequent(distribution *to, const shares *s, const char *const *labels,
                                uint32_t n_values, context *c, kith_error *error)
{
    ranked_value *all = TRY_ARRAY(all, c->memory, (size_t)n_values + 1, error);
    for (uint32_t i = 0; i < n_values; i++)
        all[i] = (ranked_value){s->before[i], i};
    qsort(all, n_values, sizeof *all, sort_double_down_uint32);
    const uint32_t n_single = n_values <= DISTRIBUTION_BINS ? n_values : DISTRIBUTION_BINS - 1;
    distribution_bin others = {0};
    for (uint32_t i = 0; i < n_values; i++) {
        const uint32_t at = all[i].position;
        if (i < n_single) {
            to->bins[to->n_bins++] = (distribution_bin){labels[at], s->before[at], s->after[at]};
        } else {
            others.before += s->before[at];
            others.after += s->after[at];
        }
    }
    if (n_single < n_values) {
        others.label = arena_printf(c->memory, "%u other values", n_values - n_single);
        TRY_ALLOC(others.label, error);
        to->bins[to->n_bins++] = others;
    }
    arena_release(c->memory, all, ((size_t)n_values + 1) * sizeof *all);
    return KITH_OK;
}

kith_status distributions_assess(distributions_report *report, const analysis *a, context *c,
                                 kith_error *error)
{
    const prepared *p = a->data;
    const uint32_t n = p->problem.n_attributes;
    *report =
        (distributions_report){.columns = arena_zalloc(c->memory, n, sizeof *report->columns)};
    TRY_ALLOC(report->columns, error);
    for (uint32_t j = 0; j < n; j++) {
        const prepared_column *from = &p->columns[p->quasi[j]];
        const kith_hierarchy *h = from->hierarchy;
        const query_column *q = &a->shown.by_class.columns[j];
        distribution *to = &report->columns[report->count++];
        shares s;
        TRY(count_shares(&s, &a->columns[j], q, c, error));
        const char **labels = TRY_ARRAY(labels, c->memory, h->tree.n_leaves, error);
        for (uint32_t leaf = 0; leaf < h->tree.n_leaves; leaf++) /* by position */
            labels[from->rank[leaf]] = h->label[leaf];
        to->name = from->study->name;
        TRY((from->study->type == KITH_TYPE_STRING ? bin_frequent : bin_ordered)(
            to, &s, labels, q->n_values, c, error));
    }
    return KITH_OK;
}

void distributions_put(kith_document *d, document_node *root, const distributions_report *report)
{
    document_node *all = document_array(d, root, "distributions");
    for (uint32_t i = 0; i < report->count; i++) {
        const distribution *from = &report->columns[i];
        document_node *one = document_object(d, all, NULL);
        document_put_text(d, one, "column", from->name);
        document_node *values = document_array(d, one, "values");
        for (uint32_t b = 0; b < from->n_bins; b++) {
            document_node *bin = document_object(d, values, NULL);
            document_put_text(d, bin, "value", from->bins[b].label);
            document_put_number(d, bin, "before", from->bins[b].before);
            document_put_number(d, bin, "after", from->bins[b].after);
        }
    }
}
