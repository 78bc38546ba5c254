#include <string.h>

#include "core/error.h"
#include "job/analysis/analysis.h"
#include "verify/cover_cells.h"

enum { FOLDS = 10 };

/* The labels of data and release, numbered by the texts of the release: what the release does not
 * show cannot be learned from it, and cannot be tested either. */
typedef struct label_set {
    uint32_t count;
    uint32_t *of_record, *of_row;
} label_set;

static kith_status find_class(const prepared_column **found, const prepared *p, const char *name,
                              kith_error *error)
{
    *found = NULL;
    for (uint32_t i = 0; i < p->n_columns; i++)
        if (strcmp(p->columns[i].study->name, name) == 0)
            *found = &p->columns[i];
    if (*found == NULL) {
        error_set(error, KITH_INVALID, "the release has no column '%s' to classify by", name);
        return error_hint(error, KITH_INVALID, "name a sensitive or an insensitive column");
    }
    if ((*found)->attribute == PREPARE_NONE)
        return KITH_OK;
    error_set(error, KITH_INVALID,
              "column '%s' is quasi-identifying: its values are generalized, and the "
              "quasi-identifiers are what is learned from",
              name);
    return error_hint(error, KITH_INVALID, "name a sensitive or an insensitive column");
}

static kith_status find_labels(label_set *labels, const analysis *a, const prepared_column *class,
                               context *c, kith_error *error)
{
    const prepared *p = a->data;
    const column *original = &p->table->columns[class->source];
    uint32_t at;
    TRY(assess_find_column(&at, a->texts, class->study->name, error));
    const column *released = &a->texts->columns[at];
    const uint32_t n_texts = released->values.count, n_values = original->values.count;
    cover_column compared = {.data = class->source, .release = at};
    cover_cells cells;
    TRY(cover_cells_init(&cells, c->memory, a->texts, p->table, &compared, false, error));
    labels->count = n_texts;
    labels->of_record = TRY_ALLOC(arena_array(c->memory, p->n_rows, sizeof(uint32_t)), error);
    labels->of_row = TRY_ALLOC(arena_array(c->memory, a->texts->n_rows, sizeof(uint32_t)), error);
    for (uint32_t i = 0; i < p->n_rows; i++) {
        const uint32_t code = original->codes[p->rows[i]];
        const uint32_t text = code < n_values ? cells.same[code] : UINT32_MAX;
        labels->of_record[i] = text < n_texts ? text : BAYES_NO_LABEL;
    }
    for (uint32_t i = 0; i < a->texts->n_rows; i++)
        labels->of_row[i] =
            released->codes[i] == TABLE_MISSING ? BAYES_NO_LABEL : released->codes[i];
    return KITH_OK;
}

kith_status classify_assess(classify_report *report, const analysis *a, const char *name,
                            context *c, kith_error *error)
{
    const prepared_column *class;
    label_set labels = {0};
    TRY(find_class(&class, a->data, name, error));
    TRY(find_labels(&labels, a, class, c, error));
    if (labels.count > BAYES_MAX_LABELS ||
        naive_bayes_table_size(&a->shown.by_class, labels.count) > BAYES_MAX_TABLE)
        return error_set(error, KITH_INVALID,
                         "column '%s' has %u different values: too many to classify by", name,
                         labels.count);
    *report = (classify_report){class->study->name, FOLDS, a->in_order, {0}};
    const bayes_input in = {.shown = &a->shown.by_class,
                            .n_labels = labels.count > 0 ? labels.count : 1,
                            .record_label = labels.of_record,
                            .n_rows = a->texts->n_rows,
                            .row_class = a->report->grouping->class_of,
                            .row_label = labels.of_row,
                            .n_folds = FOLDS,
                            .seed = c->seed,
                            .first_record = a->first_record,
                            .n_all = prepare_whole_rows(a->data)};
    return naive_bayes_measure(&report->result, &in, c->memory, error);
}

void classify_put(kith_document *d, document_node *root, const classify_report *report)
{
    const bayes_report *r = &report->result;
    document_node *node = document_object(d, root, "classify");
    document_put_text(d, node, "column", report->column);
    document_put_count(d, node, "folds", report->n_folds);
    document_put_flag(d, node, "in_order", report->in_order);
    document_put_count(d, node, "records", r->n_tested);
    document_put_number(d, node, "original", r->original);
    document_put_number(d, node, "release", r->release);
    document_put_number(d, node, "baseline", r->baseline);
}
