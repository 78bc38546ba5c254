#include "table/rows/code_numbers.h"

#include <string.h>

#include "core/error.h"
#include "table/rows/row_groups.h"

/* Where the numbers of each rank begin. */
static kith_status place_numbers(code_numbers *n, context *c, arena *scratch, kith_error *error)
{
    const uint32_t n_ranks = ranks_count(c->ranks), own = ranks_self(c->ranks);
    uint64_t first = 0, count = 0;
    uint64_t *counts = TRY_ZEROS(counts, scratch, n_ranks, error);
    counts[own] = n->n_here;
    TRY(ranks_sum(c->ranks, counts, n_ranks, error));
    for (uint32_t r = 0; r < n_ranks; r++) {
        first += r < own ? counts[r] : 0;
        count += counts[r];
    }
    if (count >= UINT32_MAX)
        return error_set(error, KITH_INVALID, "%llu different rows are too many to be numbered",
                         (unsigned long long)count);
    n->first = (uint32_t)first;
    n->count = (uint32_t)count;
    return KITH_OK;
}

kith_status code_numbers_make(code_numbers *n, const code_rows *rows, context *c, arena *memory,
                              kith_error *error)
{
    const uint32_t n_ranks = ranks_count(c->ranks);
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(memory), error);
    const kith_table none = {.n_columns = 0};
    kith_table own = {.n_rows = rows->n_rows, .n_columns = rows->n_columns}, there, back;
    code_rows keys = *rows;
    uint32_t *rank = TRY_ARRAY(rank, scratch, rows->n_rows, error), *of, *from = rank;
    uint32_t *to = TRY_ARRAY(to, scratch, rows->n_rows, error);
    own.columns = TRY_ZEROS(own.columns, scratch, rows->n_columns, error);
    for (uint32_t i = 0; i < rows->n_columns; i++) {
        own.columns[i].codes = rows->codes[i];
        own.columns[i].values.count = rows->n_codes[i];
    }
    for (uint32_t row = 0; row < rows->n_rows; row++)
        rank[row] = ranks_self(c->ranks);
    keys.n_keys = keys.n_columns;
    code_rows_owners(to, &keys, n_ranks);
    TRY(code_rows_send_table(&there, &from, &own, to, n_ranks, c, scratch, error));
    /* Numbers what has come, from 0, and lists each different row once. `scratch` has what is given
     * back. */
    const uint32_t n_columns = rows->n_columns;
    row_groups groups;
    uint32_t *all = TRY_ARRAY(all, scratch, n_columns, error);
    for (uint32_t i = 0; i < n_columns; i++)
        all[i] = i;
    TRY(row_groups_by(&groups, scratch, &there, all, n_columns, error));
    n->n_here = groups.count;
    n->here = TRY_ARRAY(n->here, memory, n_columns, error);
    for (uint32_t i = 0; i < n_columns; i++) {
        n->here[i] = TRY_ARRAY(n->here[i], memory, groups.count, error);
        for (uint32_t row = 0; row < there.n_rows; row++)
            n->here[i][groups.of[row]] = there.columns[i].codes[row];
    }
    of = groups.of;
    TRY(place_numbers(n, c, scratch, error));
    for (uint32_t row = 0; row < there.n_rows; row++)
        of[row] += n->first;
    kith_table numbered = none;
    numbered.n_rows = there.n_rows;
    TRY(code_rows_return_table(&back, &of, &numbered, from, to, rows->n_rows, n->count + 1, c,
                               scratch, error));
    n->of = TRY_ARRAY(n->of, memory, rows->n_rows, error);
    if (rows->n_rows > 0)
        memcpy(n->of, of, rows->n_rows * sizeof *n->of);
    return KITH_OK;
}

kith_status code_numbers_column(uint32_t **result, const code_numbers *n, uint32_t which,
                                context *c, arena *memory, kith_error *error)
{
    const uint32_t n_ranks = ranks_count(c->ranks);
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(memory), error);
    ranks_bytes *from = TRY_ZEROS(from, scratch, n_ranks, error);
    uint32_t *all = *result = TRY_ARRAY(all, memory, n->count, error);
    TRY(ranks_gather(c->ranks, n->here[which], n->n_here * sizeof *all, from, scratch, error));
    for (uint32_t r = 0; r < n_ranks; r++) {
        if (from[r].n_bytes > 0)
            memcpy(all, from[r].bytes, from[r].n_bytes);
        all += from[r].n_bytes / sizeof *all;
    }
    return KITH_OK;
}
