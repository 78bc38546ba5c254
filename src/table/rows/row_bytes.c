#include "table/rows/row_bytes.h"

#include "core/bytes.h"
#include "core/error.h"

kith_status row_bytes_init(row_bytes *form, const uint32_t *max, uint32_t n_cells, arena *memory,
                           kith_error *error)
{
    uint8_t *width = TRY_ARRAY(width, memory, n_cells, error);
    *form = (row_bytes){.n_cells = n_cells, .width = width};
    for (uint32_t i = 0; i < n_cells; i++) {
        width[i] = (uint8_t)bytes_width(max[i]);
        form->n_bytes += width[i];
    }
    return KITH_OK;
}

kith_status row_bytes_table(row_bytes *form, const kith_table *table, arena *memory,
                            kith_error *error)
{
    const uint32_t n_cells = table->n_columns;
    uint32_t *max = TRY_ARRAY(max, memory, n_cells, error);
    for (uint32_t i = 0; i < n_cells; i++)
        max[i] = table->columns[i].values.count;
    return row_bytes_init(form, max, n_cells, memory, error);
}

void row_bytes_put(const row_bytes *form, uint8_t *to, const uint32_t *cells)
{
    for (uint32_t i = 0; i < form->n_cells; i++)
        to = bytes_put(to, cells[i], form->width[i]);
}

void row_bytes_get(const row_bytes *form, uint32_t *cells, const uint8_t *from)
{
    for (uint32_t i = 0; i < form->n_cells; from += form->width[i++])
        cells[i] = (uint32_t)bytes_get(from, form->width[i]);
}

void row_bytes_take(uint32_t *cells, const kith_table *table, uint32_t row)
{
    for (uint32_t i = 0; i < table->n_columns; i++)
        cells[i] = table->columns[i].codes[row] + 1; /* TABLE_MISSING becomes 0 */
}

void row_bytes_give(const uint32_t *cells, kith_table *table, uint32_t row)
{
    for (uint32_t i = 0; i < table->n_columns; i++)
        table->columns[i].codes[row] = cells[i] - 1;
}
