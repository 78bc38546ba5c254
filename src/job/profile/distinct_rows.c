#include "job/profile/distinct_rows.h"

#include "core/error.h"
#include "table/rows/code_rows.h"

kith_status distinct_rows_distribute(distinct_rows *distributed, const row_groups *own,
                                     const column *const *columns, uint32_t n_columns,
                                     uint32_t n_keys, uint32_t n_rows, context *c, arena *memory,
                                     kith_error *error)
{
    kith_table here = {.n_columns = n_columns};
    uint32_t *weights = TRY_ZEROS(weights, memory, own->count, error);
    here.columns = TRY_ARRAY(here.columns, memory, n_columns, error);
    for (uint32_t i = 0; i < n_columns; i++) {
        column *to = &here.columns[i];
        *to = *columns[i];
        to->codes = TRY_ARRAY(to->codes, memory, own->count, error);
    }
    for (uint32_t row = 0; row < own->n_rows; row++) {
        if (own->of[row] == here.n_rows) { /* groups are numbered by their first rows */
            for (uint32_t i = 0; i < n_columns; i++)
                here.columns[i].codes[here.n_rows] = columns[i]->codes[row];
            here.n_rows++;
        }
        weights[own->of[row]]++;
    }
    distributed->weights = weights;
    return code_rows_exchange_table(&distributed->table, &distributed->weights, &here, n_keys,
                                    n_rows + 1, c, memory, error);
}
