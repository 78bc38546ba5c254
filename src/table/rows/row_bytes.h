/* Rows as records of a fixed number of bytes, for files that are read and written by rows: every
 * cell takes as few bytes as its column allows. */
#ifndef TABLE_ROWS_ROW_BYTES_H
#define TABLE_ROWS_ROW_BYTES_H

#include "table/table.h"

typedef struct row_bytes {
    uint32_t n_cells;
    const uint8_t *width; /* [n_cells] bytes */
    uint32_t n_bytes;     /* of a record */
} row_bytes;

/* Records whose cell i is at most max[i]. */
kith_status row_bytes_init(row_bytes *form, const uint32_t *max, uint32_t n_cells, arena *memory,
                           kith_error *error) KITH_MUST_USE;
/* The same for the codes of a table, 1 higher, so that 0 is a missing cell. */
kith_status row_bytes_table(row_bytes *form, const kith_table *table, arena *memory,
                            kith_error *error) KITH_MUST_USE;

void row_bytes_put(const row_bytes *form, uint8_t *to, const uint32_t *cells);
void row_bytes_get(const row_bytes *form, uint32_t *cells, const uint8_t *from);

/* One row of a table, into and out of such cells. */
void row_bytes_take(uint32_t *cells, const kith_table *table, uint32_t row);
void row_bytes_give(const uint32_t *cells, kith_table *table, uint32_t row);

#endif
