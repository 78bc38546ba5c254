#include "table/rows/row_splitters.h"

#include "core/error.h"
#include "table/rows/table_order.h"

enum { SAMPLED = 64 }; /* rows for each part, so that few parts are twice as large as others */

struct row_splitters {
    uint32_t count;   /* one less than there are parts */
    kith_table first; /* [count] rows: part i + 1 begins with row i, or what looks equal */
};

static void copy_row(kith_table *to, uint32_t at, const kith_table *from, uint32_t row)
{
    for (uint32_t i = 0; i < from->n_columns; i++)
        to->columns[i].codes[at] = from->columns[i].codes[row];
}

kith_status row_splitters_make(row_splitters **result, const kith_table *sample, uint32_t n_parts,
                               arena *memory, kith_error *error)
{
    uint32_t *order;
    row_splitters *s = TRY_ZEROS(s, memory, 1, error);
    *result = s;
    s->count = sample->n_rows > 0 ? n_parts - 1 : 0;
    TRY(table_order_by_cells(&order, sample, memory, error));
    TRY(table_room(&s->first, sample, s->count, memory, error));
    for (uint32_t i = 0; i < s->count; i++)
        copy_row(&s->first, i, sample, order[(i + UINT64_C(1)) * sample->n_rows / n_parts]);
    return KITH_OK;
}

kith_status row_splitters_find(row_splitters **result, row_spill *rows, uint32_t n_parts,
                               arena *memory, kith_error *error)
{
    kith_table sample;
    /* Rows at equal distances. */
    const uint32_t n = n_parts == 1 ? 0 : n_parts * SAMPLED;
    const uint64_t n_rows = row_spill_rows(rows);
    uint64_t before = 0;
    uint32_t taken = 0;
    kith_table block;
    TRY(table_room(&sample, row_spill_table(rows), n, memory, error));
    TRY(row_spill_room(rows, &block, memory, error));
    for (uint32_t i = 0; taken < n; i++, before += block.n_rows) {
        TRY(row_spill_block(rows, i, &block, error));
        for (uint64_t at; taken < n && (at = taken * n_rows / n) < before + block.n_rows; taken++)
            copy_row(&sample, taken, &block, (uint32_t)(at - before));
    }
    return row_splitters_make(result, &sample, n_parts, memory, error);
}

/* How many parts begin before a row, or with what looks equal if `equal`. */
static uint32_t begin_before(const row_splitters *s, const kith_table *rows, uint32_t row,
                             bool equal)
{
    uint32_t low = 0, high = s->count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        const int order = table_order_compare(rows, row, &s->first, middle);
        if (order < 0 || (order == 0 && !equal))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

uint32_t row_splitters_part(const row_splitters *s, const kith_table *rows, uint32_t row)
{
    return begin_before(s, rows, row, true);
}

uint32_t row_splitters_first(const row_splitters *s, const kith_table *rows, uint32_t row)
{
    return begin_before(s, rows, row, false);
}
