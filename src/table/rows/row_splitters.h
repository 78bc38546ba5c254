/* Where parts of about the same size begin, if rows that are not all in one memory are to be sorted
 * by their cells (table_order.h): part i has the rows that come before those of part i + 1. */
#ifndef TABLE_ROWS_ROW_SPLITTERS_H
#define TABLE_ROWS_ROW_SPLITTERS_H

#include "table/rows/row_spill.h"

typedef struct row_splitters row_splitters;

/* Parts of rows, cut by a sample of them, in any order. Everything lives in `memory`. */
kith_status row_splitters_make(row_splitters **s, const kith_table *sample, uint32_t n_parts,
                               arena *memory, kith_error *error) KITH_MUST_USE;

/* From a sample of the rows of a spill, which are gone through once. */
kith_status row_splitters_find(row_splitters **s, row_spill *rows, uint32_t n_parts, arena *memory,
                               kith_error *error) KITH_MUST_USE;

/* The part of a row; `rows` has the dictionaries of the sample. Rows that look equal are in one
 * part. */
uint32_t row_splitters_part(const row_splitters *s, const kith_table *rows, uint32_t row);

/* The first part that may have the row, so that those up to row_splitters_part may share the rows
 * that look equal. */
uint32_t row_splitters_first(const row_splitters *s, const kith_table *rows, uint32_t row);

#endif
