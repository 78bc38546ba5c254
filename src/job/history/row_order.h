/* The rows of a party in an order that follows from what they are, not from where they stand.
 *
 * The same rows in another order are the same data: databases give them in any order. So a run
 * takes them by the hashes of their cells. What it draws for its first row, its second row and so
 * on is then drawn for the same rows in every identical run; rows that are equal may change places,
 * which nobody can see. Hashes and not the cells themselves decide, since searches do better with
 * rows in no order than with sorted ones. */
#ifndef JOB_HISTORY_ROW_ORDER_H
#define JOB_HISTORY_ROW_ORDER_H

#include "table/table.h"

enum { ROW_ORDER_BYTES = 32 };

typedef struct row_order {
    unsigned char rows[ROW_ORDER_BYTES];    /* digest of the rows, in whatever order they stand */
    unsigned char ordered[ROW_ORDER_BYTES]; /* of the rows as they stand, as earlier versions had */
    const uint32_t *order; /* [n_rows] rows by their hashes; NULL: they stay as they stand */
} row_order;

/* `aligned`: the order has a meaning, so that rows in another order are other data. */
kith_status row_order_make(row_order *o, const kith_table *table, bool aligned, arena *memory,
                           kith_error *error) KITH_MUST_USE;

/* The table with its rows in that order. It shares its dictionaries with `table`, and lives in
 * `memory`. */
kith_status row_order_apply(const kith_table **out, const row_order *o, const kith_table *table,
                            arena *memory, kith_error *error) KITH_MUST_USE;

#endif
