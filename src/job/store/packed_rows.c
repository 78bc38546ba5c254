#include "job/store/packed_rows.h"

#include "core/error.h"

kith_status packed_rows_init(packed_rows *form, const uint32_t *max, uint32_t n_cells,
                             arena *memory, kith_error *error)
{
    uint8_t *width = TRY_ALLOC(arena_array(memory, n_cells, sizeof *width), error);
    *form = (packed_rows){.n_cells = n_cells, .width = width};
    for (uint32_t i = 0; i < n_cells; i++) {
        for (width[i] = 1; width[i] < 4 && max[i] >> (8 * width[i]) != 0;)
            width[i]++;
        form->n_bytes += width[i];
    }
    return KITH_OK;
}

kith_status packed_rows_table(packed_rows *form, const kith_table *table, uint32_t extra,
                              arena *memory, kith_error *error)
{
    const uint32_t n_cells = table->n_columns + extra;
    uint32_t *max = TRY_ALLOC(arena_array(memory, n_cells, sizeof *max), error);
    for (uint32_t i = 0; i < n_cells; i++)
        max[i] = i < table->n_columns ? table->columns[i].values.count : UINT32_MAX;
    return packed_rows_init(form, max, n_cells, memory, error);
}

/* Little-endian, whatever the machine is. */
void packed_rows_put(const packed_rows *form, uint8_t *to, const uint32_t *cells)
{
    for (uint32_t i = 0; i < form->n_cells; i++)
        for (uint8_t b = 0; b < form->width[i]; b++)
            *to++ = (uint8_t)(cells[i] >> (8 * b));
}

void packed_rows_get(const packed_rows *form, uint32_t *cells, const uint8_t *from)
{
    for (uint32_t i = 0; i < form->n_cells; i++) {
        cells[i] = 0;
        for (uint8_t b = 0; b < form->width[i]; b++)
            cells[i] |= (uint32_t)*from++ << (8 * b);
    }
}

void packed_rows_take(uint32_t *cells, const kith_table *table, uint32_t row)
{
    for (uint32_t i = 0; i < table->n_columns; i++)
        cells[i] = table->columns[i].codes[row] + 1; /* TABLE_MISSING becomes 0 */
}

void packed_rows_give(const uint32_t *cells, kith_table *table, uint32_t row)
{
    for (uint32_t i = 0; i < table->n_columns; i++)
        table->columns[i].codes[row] = cells[i] - 1;
}
