/* Numbers that were given out one by one: of patients, cases, customers. */
#ifndef JOB_PROFILE_SERIAL_NUMBERS_H
#define JOB_PROFILE_SERIAL_NUMBERS_H

#include "core/arena.h"
#include "table/table.h"

/* Do the values rise strictly, or fall strictly, over the rows that have one? value[code] is the
 * number of each. */
typedef struct serial_order {
    kith_status (*monotone)(bool *monotone, const void *rows, const column *c, const int64_t *value,
                            kith_error *error);
    const void *rows;
} serial_order;

/* Are the values of a column that was read as strings whole numbers, none of which occurs twice,
 * and regular? That is: they rise or fall from row to row, or so many lie in so small a range that
 * some would occur twice if they were measured, or all have the same number of digits, nine or
 * more. At least twenty rows are needed to tell; `n_cells` of them have a value. */
kith_status serial_numbers_look(bool *serial, const column *c, uint32_t n_cells,
                                const serial_order *order, arena *memory, kith_error *error);

/* For a column in memory, in the order of its rows: `table` is a kith_table. */
kith_status serial_numbers_monotone(bool *monotone, const void *table, const column *c,
                                    const int64_t *value, kith_error *error);

#endif
