/* Where parts of about the same size begin, if rows that do not fit into memory are to be sorted by
 * their cells (table/table_order.h): part i has the rows that come before those of part i + 1. */
#ifndef JOB_STORE_ROW_SPLITTERS_H
#define JOB_STORE_ROW_SPLITTERS_H

#include "table/row_spill.h"

typedef struct row_splitters row_splitters;

/* From a sample of the rows, which are gone through once. Everything lives in `memory`. */
kith_status row_splitters_find(row_splitters **s, row_spill *rows, uint32_t n_parts, arena *memory,
                               kith_error *error) KITH_MUST_USE;

/* The part of a row; `rows` has the dictionaries of the spill. Rows that look equal are in one
 * part. */
uint32_t row_splitters_part(const row_splitters *s, const kith_table *rows, uint32_t row);

#endif
