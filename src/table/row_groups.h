/* Grouping the rows of a table by the values of some columns, one column at a time. */
#ifndef TABLE_ROW_GROUPS_H
#define TABLE_ROW_GROUPS_H

#include "core/arena.h"
#include "table/table.h"

/* Invariant: of[row] < count, and every group has a row. */
typedef struct grouping {
    uint32_t rows;
    uint32_t count;
    uint32_t *of; /* [rows] */
} grouping;

/* Space for group_refine, to be used again and again. */
typedef struct group_scratch group_scratch;
kith_status group_scratch_new(group_scratch **scratch, arena *memory, uint32_t rows,
                              kith_error *error);

/* All rows in one group. */
kith_status group_all(grouping *g, arena *memory, uint32_t rows, kith_error *error);

/* Splits the groups of `from` by the values of a column (missing is a value of its own) into `to`,
 * which may be `from` itself and else has room for as many rows. Linear in the rows. */
void group_refine(grouping *to, const grouping *from, const column *c, group_scratch *scratch);

/* Groups of one row, and the size of the smallest group (0 if there is none). */
uint32_t group_singles(const grouping *g, group_scratch *scratch);
uint32_t group_smallest(const grouping *g, group_scratch *scratch);

#endif
