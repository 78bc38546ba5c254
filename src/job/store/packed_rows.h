/* Rows as records of a fixed number of bytes, for files that are read and written by rows: every
 * cell takes as few bytes as its column allows. */
#ifndef JOB_STORE_PACKED_ROWS_H
#define JOB_STORE_PACKED_ROWS_H

#include "table/table.h"

typedef struct packed_rows {
    uint32_t n_cells;
    const uint8_t *width; /* [n_cells] bytes */
    uint32_t n_bytes;     /* of a record */
} packed_rows;

/* Records whose cell i is at most max[i]. */
kith_status packed_rows_init(packed_rows *form, const uint32_t *max, uint32_t n_cells,
                             arena *memory, kith_error *error) KITH_MUST_USE;
/* The same for the codes of a table, 1 higher, so that 0 is a missing cell; behind them `extra`
 * cells of four bytes each. */
kith_status packed_rows_table(packed_rows *form, const kith_table *table, uint32_t extra,
                              arena *memory, kith_error *error) KITH_MUST_USE;

void packed_rows_put(const packed_rows *form, uint8_t *to, const uint32_t *cells);
void packed_rows_get(const packed_rows *form, uint32_t *cells, const uint8_t *from);

/* One row of a table, into and out of such cells. */
void packed_rows_take(uint32_t *cells, const kith_table *table, uint32_t row);
void packed_rows_give(const uint32_t *cells, kith_table *table, uint32_t row);

#endif
