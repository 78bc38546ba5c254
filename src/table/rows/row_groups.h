/* Grouping the rows of a table by the values of some columns, one column at a time. */
#ifndef TABLE_ROWS_ROW_GROUPS_H
#define TABLE_ROWS_ROW_GROUPS_H

#include "core/arena.h"
#include "table/table.h"

/* Invariant: groups are numbered in the order of their first rows. Therefore of[row] < count, every
 * group has a row, and equal tables give equal numbers. */
typedef struct row_groups {
    uint32_t n_rows;
    uint32_t count;
    uint32_t *of; /* [n_rows] */
} row_groups;

#if KITH_DEBUG
void row_groups_check(const row_groups *g);
#endif

/* Space for row_groups_refine, to be used again and again. */
typedef struct row_groups_scratch row_groups_scratch;
kith_status row_groups_scratch_new(row_groups_scratch **scratch, arena *memory, uint32_t n_rows,
                                   kith_error *error);

/* All rows in one group. */
kith_status row_groups_all(row_groups *g, arena *memory, uint32_t n_rows, kith_error *error);

/* Splits the groups of `from` by the values of a column (missing is a value of its own) into `to`,
 * which may be `from` itself and else has room for as many rows. Linear in the rows. */
void row_groups_refine(row_groups *to, const row_groups *from, const column *c,
                       row_groups_scratch *scratch);

/* Groups by the values of several columns. */
kith_status row_groups_by(row_groups *g, arena *memory, const kith_table *table,
                          const uint32_t *columns, uint32_t n_columns,
                          kith_error *error) KITH_MUST_USE;

/* Which rows are in which group. Rows of group i are rows[starts[i]] … rows[starts[i + 1] - 1], in
 * ascending order. */
typedef struct row_groups_lists {
    uint32_t *starts; /* [count + 1] */
    uint32_t *rows;   /* [n_rows] */
} row_groups_lists;
kith_status row_groups_list(row_groups_lists *lists, const row_groups *g, arena *memory,
                            kith_error *error) KITH_MUST_USE;

/* Groups of one row, and the size of the smallest group (0 if there is none). */
uint32_t row_groups_count_singles(const row_groups *g, row_groups_scratch *scratch);
uint32_t row_groups_min_size(const row_groups *g, row_groups_scratch *scratch);

#endif
