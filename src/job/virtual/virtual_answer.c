#include "job/virtual/virtual_answer.h"

static void put_value(kith_document *d, document_node *row, query_value v)
{
    switch (v.kind) {
    case QUERY_VALUE_NUMBER: document_put_number(d, row, NULL, v.number); break;
    case QUERY_VALUE_TEXT: document_put_text(d, row, NULL, v.text); break;
    default: document_put_null(d, row, NULL);
    }
}

/* Goes through the columns of one row; `row` NULL: puts the titles. */
static void put_columns(kith_document *d, document_node *to, const query_plan *plan,
                        const query_answer *a, const query_value *row, bool exact)
{
    uint32_t column = 0;
    for (uint32_t i = 0; i < plan->q->n_items; i++) {
        const query_item *item = &plan->q->items[i];
        const uint32_t n = item->function == QUERY_COLUMN ? 1 : QUERY_ANSWERS;
        const uint32_t only = exact && n > 1 ? QUERY_EXPECTED : UINT32_MAX;
        for (uint32_t k = 0; k < n; k++, column++) {
            if (only != UINT32_MAX && k != only)
                continue;
            if (row != NULL)
                put_value(d, to, row[column]);
            else
                document_put_text(d, to, NULL,
                                  only != UINT32_MAX ? item->title : a->titles[column]);
        }
    }
    for (; column < a->n_columns && !exact; column++) /* of rows: expected, certain */
        if (row != NULL)
            put_value(d, to, row[column]);
        else
            document_put_text(d, to, NULL, a->titles[column]);
}

void virtual_answer_put(kith_document *d, document_node *parent, const char *key,
                        const query_plan *plan, const query_answer *answer, bool exact)
{
    document_node *all = document_object(d, parent, key);
    put_columns(d, document_array(d, all, "columns"), plan, answer, NULL, exact);
    document_node *rows = document_array(d, all, "rows");
    for (uint32_t i = 0; i < answer->n_rows; i++)
        put_columns(d, document_array(d, rows, NULL), plan, answer,
                    answer->values + (size_t)i * answer->n_columns, exact);
}
