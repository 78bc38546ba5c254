#include "table/rows/code_rows.h"

#include "core/check.h"
#include "core/error.h"
#include "table/rows/row_bytes.h"
#include "table/rows/table_order.h"

/* Multiplication moves bits upwards only, therefore the upper bits are folded down. */
static uint64_t code_rows_mix(uint64_t h)
{
    h ^= h >> 32;
    h *= 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9u;
    return h ^ (h >> 32);
}

void code_rows_owners(uint32_t *to, const code_rows *rows, uint32_t n_ranks)
{
    for (uint32_t row = 0; row < rows->n_rows; row++) {
        uint64_t h = 0x452821e638d01377u;
        for (uint32_t i = 0; i < rows->n_keys; i++)
            h = code_rows_mix(h ^ rows->codes[i][row]);
        to[row] = (uint32_t)(((h >> 32) * n_ranks) >> 32);
    }
}

/* One message for each rank. */
static kith_status pack_rows(ranks_bytes *out, const code_rows *rows, const uint32_t *to,
                             const row_bytes *form, uint32_t n_ranks, arena *letters,
                             kith_error *error)
{
    const uint32_t n = rows->n_columns;
    uint8_t **end = TRY_ARRAY(end, letters, n_ranks, error);
    uint32_t *cells = TRY_ARRAY(cells, letters, n, error);
    for (uint32_t row = 0; row < rows->n_rows; row++)
        out[to[row]].n_bytes += form->n_bytes;
    for (uint32_t r = 0; r < n_ranks; r++)
        out[r].bytes = end[r] = TRY_ALLOC(arena_alloc(letters, out[r].n_bytes), error);
    for (uint32_t row = 0; row < rows->n_rows; row++) {
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t code = rows->codes[i][row], last = rows->n_codes[i] - 1;
            cells[i] = code < last ? code : last;
        }
        row_bytes_put(form, end[to[row]], cells);
        end[to[row]] += form->n_bytes;
    }
    return KITH_OK;
}

static kith_status unpack_rows(code_rows *rows, const ranks_bytes *in, const row_bytes *form,
                               uint32_t n_ranks, arena *memory, kith_error *error)
{
    const uint32_t n = rows->n_columns;
    uint64_t n_rows = 0;
    uint32_t *cells = TRY_ARRAY(cells, memory, n, error);
    for (uint32_t r = 0; r < n_ranks; r++)
        n_rows += form->n_bytes > 0 ? in[r].n_bytes / form->n_bytes : 0;
    if (n_rows > UINT32_MAX)
        return error_set(error, KITH_INVALID, "%llu rows are too many for one process",
                         (unsigned long long)n_rows);
    rows->codes = TRY_ARRAY(rows->codes, memory, n, error);
    for (uint32_t i = 0; i < n; i++)
        rows->codes[i] = TRY_ARRAY(rows->codes[i], memory, n_rows, error);
    rows->n_rows = 0;
    for (uint32_t r = 0; r < n_ranks; r++)
        for (size_t at = 0; at < in[r].n_bytes; at += form->n_bytes, rows->n_rows++) {
            row_bytes_get(form, cells, (const uint8_t *)in[r].bytes + at);
            for (uint32_t i = 0; i < n; i++)
                rows->codes[i][rows->n_rows] = cells[i];
        }
    return KITH_OK;
}

kith_status code_rows_send(code_rows *in, const code_rows *out, const uint32_t *to, context *c,
                           arena *memory, kith_error *error)
{
    arena *letters ARENA_SCOPED = TRY_ALLOC(arena_new_like(memory), error);
    const uint32_t n_ranks = ranks_count(c->ranks);
    row_bytes form;
    ranks_bytes *packed = TRY_ZEROS(packed, letters, n_ranks, error);
    ranks_bytes *from = TRY_ZEROS(from, letters, n_ranks, error);
    *in = *out;
    uint32_t *last = TRY_ARRAY(last, letters, out->n_columns, error);
    for (uint32_t i = 0; i < out->n_columns; i++)
        last[i] = out->n_codes[i] - 1;
    TRY(row_bytes_init(&form, last, out->n_columns, letters, error));
    TRY(pack_rows(packed, out, to, &form, n_ranks, letters, error));
    TRY(ranks_exchange(c->ranks, packed, from, letters, error));
    return unpack_rows(in, from, &form, n_ranks, memory, error);
}

kith_status code_rows_exchange(code_rows *in, const code_rows *out, context *c, arena *memory,
                               kith_error *error)
{
    *in = *out;
    if (ranks_count(c->ranks) == 1)
        return KITH_OK;
    arena *letters ARENA_SCOPED = TRY_ALLOC(arena_new_like(memory), error);
    uint32_t *to = TRY_ARRAY(to, letters, out->n_rows, error);
    code_rows_owners(to, out, ranks_count(c->ranks));
    return code_rows_send(in, out, to, c, memory, error);
}

/* The columns of a table, and numbers below a limit unless they are NULL. */
static kith_status from_table(code_rows *rows, const kith_table *table, uint32_t *numbers,
                              uint32_t limit, arena *memory, kith_error *error)
{
    const uint32_t n = table->n_columns;
    uint32_t *n_codes = TRY_ARRAY(n_codes, memory, n + (size_t)1, error);
    uint32_t **codes = TRY_ARRAY(codes, memory, n + (size_t)1, error);
    *rows = (code_rows){.n_rows = table->n_rows,
                        .n_columns = n + (numbers != NULL),
                        .n_codes = n_codes,
                        .codes = codes};
    for (uint32_t i = 0; i < n; i++) {
        codes[i] = table->columns[i].codes;
        n_codes[i] = table->columns[i].values.count + 1; /* the last: a missing cell */
    }
    codes[n] = numbers;
    n_codes[n] = limit;
    return KITH_OK;
}

/* Rows that have come, as a table like the one that they were in; *numbers as from_table. */
static kith_status to_table(kith_table *table, uint32_t **numbers, const code_rows *rows,
                            const kith_table *like, arena *memory, kith_error *error)
{
    *numbers = *numbers != NULL ? rows->codes[like->n_columns] : NULL;
    TRY(table_room(table, like, 0, memory, error));
    table->n_rows = rows->n_rows;
    for (uint32_t i = 0; i < like->n_columns; i++) {
        table->columns[i].codes = rows->codes[i];
        for (uint32_t row = 0; row < rows->n_rows; row++)
            if (rows->codes[i][row] == rows->n_codes[i] - 1)
                rows->codes[i][row] = TABLE_MISSING;
    }
    return KITH_OK;
}

kith_status code_rows_exchange_table(kith_table *in, uint32_t **numbers, const kith_table *out,
                                     uint32_t n_keys, uint32_t limit, context *c, arena *memory,
                                     kith_error *error)
{
    code_rows here, there;
    ASSERT(n_keys <= out->n_columns);
    TRY(from_table(&here, out, *numbers, limit, memory, error));
    here.n_keys = n_keys;
    TRY(code_rows_exchange(&there, &here, c, memory, error));
    return to_table(in, numbers, &there, out, memory, error);
}

kith_status code_rows_send_table(kith_table *in, uint32_t **numbers, const kith_table *out,
                                 const uint32_t *to, uint32_t limit, context *c, arena *memory,
                                 kith_error *error)
{
    code_rows here, there;
    arena *letters ARENA_SCOPED = TRY_ALLOC(arena_new_like(memory), error);
    TRY(from_table(&here, out, *numbers, limit, letters, error));
    TRY(code_rows_send(&there, &here, to, c, memory, error));
    TRY(to_table(in, numbers, &there, out, memory, error));
    in->separator = 0; /* what stands on which line is known where it was read */
    in->n_pieces = 0;
    return KITH_OK;
}

kith_status code_rows_return_table(kith_table *in, uint32_t **numbers, const kith_table *out,
                                   const uint32_t *from, const uint32_t *to, uint32_t n_own,
                                   uint32_t limit, context *c, arena *memory, kith_error *error)
{
    uint32_t *coming = TRY_ARRAY(coming, memory, n_own, error);
    TRY(code_rows_send_table(in, numbers, out, from, limit, c, memory, error));
    ASSERT(in->n_rows == n_own);
    /* This rank's rows as they come back: those that were sent to rank 0, then those to rank 1, …
     */
    const uint32_t n_ranks = ranks_count(c->ranks);
    uint32_t *next = TRY_ZEROS(next, memory, n_ranks + (size_t)1, error);
    for (uint32_t row = 0; row < n_own; row++)
        next[to[row] + 1]++;
    for (uint32_t r = 1; r < n_ranks; r++)
        next[r] += next[r - 1];
    for (uint32_t row = 0; row < n_own; row++)
        coming[next[to[row]]++] = row;
    if (*numbers != NULL) {
        uint32_t *came = *numbers;
        *numbers = TRY_ALLOC(arena_array(memory, n_own, sizeof *came), error);
        for (uint32_t i = 0; i < n_own; i++)
            (*numbers)[coming[i]] = came[i];
    }
    return table_order_undo(in, coming, error);
}
