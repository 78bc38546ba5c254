#include "job/analysis/analysis.h"

#include "core/run/ranks.h"
#include "core/error.h"

/* Counts what all ranks have of one quasi-identifier. */
static kith_status count_column(analysis_column *to, const analysis *a, uint32_t j, context *c,
                                kith_error *error)
{
    const query_column *q = &a->shown.by_class.columns[j];
    uint32_t at;
    TRY(assess_find_column(&at, a->texts, a->data->columns[a->data->quasi[j]].study->name, error));
    const column *released = &a->texts->columns[at];
    const uint32_t n_texts = released->values.count;
    uint64_t *records = TRY_ZEROS(records, c->memory, q->n_leaves, error);
    uint64_t *rows = TRY_ZEROS(rows, c->memory, n_texts + (size_t)1, error);
    for (uint32_t i = 0; i < a->shown.by_class.n_records; i++)
        if (q->positions[i] != QUERY_NO_VALUE)
            records[q->positions[i]]++;
    for (uint32_t row = 0; row < a->texts->n_rows; row++)
        rows[released->codes[row] == TABLE_MISSING ? n_texts : released->codes[row]]++;
    TRY(ranks_sum(c->ranks, records, q->n_leaves, error));
    TRY(ranks_sum(c->ranks, rows, n_texts + (size_t)1, error));
    *to = (analysis_column){.n_texts = n_texts,
                            .texts = &released->values,
                            .records = records,
                            .rows = rows,
                            .cells = a->shown.by_text[j]};
    return KITH_OK;
}

kith_status analysis_make(analysis *a, const prepared *p, const kith_table *texts,
                          const verify_report *report, bool in_order, uint64_t first_record,
                          context *c, kith_error *error)
{
    const uint32_t n = p->problem.n_attributes;
    *a = (analysis){.data = p,
                    .texts = texts,
                    .report = report,
                    .in_order = in_order,
                    .first_record = first_record};
    TRY(assess_shown(&a->shown, p, texts, report, c, error));
    analysis_column *columns = TRY_ARRAY(columns, c->memory, n, error);
    for (uint32_t j = 0; j < n; j++)
        TRY(count_column(&columns[j], a, j, c, error));
    a->columns = columns;
    return KITH_OK;
}
