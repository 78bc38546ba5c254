/* Numbers that were given out one by one: of patients, cases, customers. */
#ifndef JOB_PROFILE_SERIAL_NUMBERS_H
#define JOB_PROFILE_SERIAL_NUMBERS_H

#include "core/context.h"
#include "table/table.h"

/* Are the values of a column that was read as strings whole numbers, none of which occurs twice,
 * and regular? That is: they rise or fall from row to row, or so many lie in so small a range that
 * some would occur twice if they were measured, or all have the same number of digits, nine or
 * more. At least twenty rows are needed to tell; `n_cells` of them have a value. All ranks
 * together; `n_rows` are here. */
kith_status serial_numbers_look(bool *serial, const column *col, uint32_t n_rows, uint32_t n_cells,
                                context *c, kith_error *error);

#endif
