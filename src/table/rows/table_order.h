/* Orders of a table's rows: order[i] is the row that comes i-th. */
#ifndef TABLE_ROWS_TABLE_ORDER_H
#define TABLE_ROWS_TABLE_ORDER_H

#include "core/arena.h"
#include "table/table.h"

/* Sorts by the cells, in the order of the columns; equal rows stay in their order. Dictionaries are
 * sorted: texts come in the order of their bytes, then empty and missing cells. Such an order
 * depends on nothing but the rows themselves: it does not show which site or record a row came
 * from, and is the same at all parties and in every run that gives these rows. Linear in the rows.
 */
kith_status table_order_by_cells(uint32_t **order, const kith_table *table, arena *memory,
                                 kith_error *error) KITH_MUST_USE;

/* Whether a row comes before another one in that order (< 0), or behind it (> 0); 0 if both look
 * equal in a file, which does not tell an empty cell from a missing one. Both tables have the same
 * dictionaries. */
int table_order_compare(const kith_table *a, uint32_t row, const kith_table *b, uint32_t other);

/* Puts the rows of the table into this order. */
kith_status table_order_apply(kith_table *table, const uint32_t *order,
                              kith_error *error) KITH_MUST_USE;

/* Takes rows that are in this order back to where they were. */
kith_status table_order_undo(kith_table *table, const uint32_t *order,
                             kith_error *error) KITH_MUST_USE;

#endif
