#include "job/slice/slice_prepare.h"

#include "core/run/ranks.h"
#include "core/error.h"
#include "job/prepare/kept_rows.h"
#include "table/table_unite.h"

kith_status slice_count(prepare_whole *whole, const kith_study *study, const kith_table *united,
                        context *c, kith_error *error)
{
    const kept_rows kept = {study, NULL};
    size_t n = 2; /* rows that are kept, and others */
    for (uint32_t i = 0; i < united->n_columns; i++)
        n += united->columns[i].values.count + (size_t)1;
    uint64_t *counts = TRY_ALLOC(arena_zalloc(c->memory, n, sizeof *counts), error);
    const uint64_t **starts = TRY_ARRAY(starts, c->memory, united->n_columns, error);
    bool *has = TRY_ALLOC(arena_array(c->memory, united->n_rows, sizeof *has), error);
    for (uint32_t row = 0; row < united->n_rows; row++) {
        has[row] = kept_rows_has(&kept, united, row);
        counts[!has[row]]++;
    }
    uint64_t *start = counts + 2;
    for (uint32_t i = 0; i < united->n_columns; i++) {
        const column *col = &united->columns[i];
        for (uint32_t row = 0; row < united->n_rows; row++)
            if (has[row])
                start[col->codes[row] == TABLE_MISSING ? col->values.count : col->codes[row]]++;
        starts[i] = start;
        start += col->values.count + (size_t)1;
    }
    TRY(ranks_sum(c->ranks, counts, n, error));
    *whole = (prepare_whole){.n_rows = counts[0], .dropped = counts[1], .counts = starts};
    return KITH_OK;
}

kith_status slice_prepare(prepared *p, prepare_whole *whole, const kith_study *study,
                          const kith_table *own, context *c, kith_error *error)
{
    const kept_rows kept = {study, NULL};
    uint64_t empty = kept_rows_n_empty(own);
    TRY(ranks_sum(c->ranks, &empty, 1, error));
    TRY(kept_rows_table(&own, &kept, own, c->memory, error));
    TRY(table_unite(&own, own, NULL, c, error));
    TRY(slice_count(whole, study, own, c, error));
    whole->dropped -= empty;
    whole->empty = empty;
    if (study->n_unit > 0)
        whole->units = TRY_ZEROS(whole->units, c->memory, 1, error);
    return prepare_slice(p, study, own, whole, c, error);
}
