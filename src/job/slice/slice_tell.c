#include "job/slice/slice_tell.h"

#include "core/run/ranks.h"
#include "core/error.h"

/* The rank that has a row adds its cells and its line to the zeros of the others. */
kith_status slice_tell(verdict_rows *told, verdict_place *places, uint32_t count,
                       const kith_table *own, uint64_t first_row, context *c, kith_error *error)
{
    const size_t n = own->n_columns + (size_t)1;
    uint64_t *sums = TRY_ALLOC(arena_zalloc(c->memory, count, n * sizeof *sums), error);
    kith_table *rows = TRY_ALLOC(arena_alloc(c->memory, sizeof *rows), error);
    TRY(table_room(rows, own, count, c->memory, error));
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t row = places[i].row - first_row; /* large, if it is before or nowhere */
        if (row >= own->n_rows)
            continue;
        for (uint32_t j = 0; j < own->n_columns; j++)
            sums[i * n + j] = own->columns[j].codes[row];
        sums[i * n + n - 1] = table_source_line(own, (uint32_t)row);
    }
    TRY(ranks_sum(c->ranks, sums, count * n, error));
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < own->n_columns; j++)
            rows->columns[j].codes[i] = (uint32_t)sums[i * n + j];
        places[i].line = sums[i * n + n - 1];
    }
    *told = (verdict_rows){rows, places};
    return KITH_OK;
}
