/* Moving rows between ranks: to where they are wanted, or so that equal ones lie on one rank. No
 * order is lost: those of a lower rank come first, and rows of one rank keep their order. */
#ifndef TABLE_ROWS_CODE_ROWS_H
#define TABLE_ROWS_CODE_ROWS_H

#include "core/run/context.h"
#include "table/table.h"

/* Rows of numbers, one array for each column. */
typedef struct code_rows {
    uint32_t n_rows, n_columns;
    uint32_t n_keys;         /* the first columns; rows that agree in them belong together */
    const uint32_t *n_codes; /* [n_columns] numbers are below it; others, such as TABLE_MISSING,
                                become the last one when they are sent */
    uint32_t **codes;        /* [n_columns][n_rows] */
} code_rows;

/* The rank to which each row belongs: one for rows that agree in the keys, whatever else they have,
 * and wherever they are. */
void code_rows_owners(uint32_t *to, const code_rows *rows, uint32_t n_ranks);

/* Rows that agree in the keys go to one rank. *in shares n_codes with `out`, and has its codes in
 * `memory`. */
kith_status code_rows_exchange(code_rows *in, const code_rows *out, context *c, arena *memory,
                               kith_error *error) KITH_MUST_USE;

/* The same, but row i goes to rank to[i]. */
kith_status code_rows_send(code_rows *in, const code_rows *out, const uint32_t *to, context *c,
                           arena *memory, kith_error *error) KITH_MUST_USE;

/* As code_rows_exchange for a table that has the same dictionaries on all ranks (table_unite), by its first
 * n_keys columns. *numbers has one more number of each row, below `limit`, which goes with it;
 * NULL: there is none. */
kith_status code_rows_exchange_table(kith_table *in, uint32_t **numbers, const kith_table *out,
                                     uint32_t n_keys, uint32_t limit, context *c, arena *memory,
                                     kith_error *error) KITH_MUST_USE;

/* The same, but row i goes to rank to[i]. Rows that have come have no lines. */
kith_status code_rows_send_table(kith_table *in, uint32_t **numbers, const kith_table *out,
                                 const uint32_t *to, uint32_t limit, context *c, arena *memory,
                                 kith_error *error) KITH_MUST_USE;

/* Row i of `out` belongs to a row that has come from rank from[i]; one rank after the other they
 * stand in the order in which they came. They go back: row i of *in belongs to row i of the n_own
 * rows that were sent to ranks to[n_own]. */
kith_status code_rows_return_table(kith_table *in, uint32_t **numbers, const kith_table *out,
                                   const uint32_t *from, const uint32_t *to, uint32_t n_own,
                                   uint32_t limit, context *c, arena *memory,
                                   kith_error *error) KITH_MUST_USE;

#endif
