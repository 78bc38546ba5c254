#include "measure/kl_rows.h"

#include <string.h>

#include "core/bytes.h"
#include "core/error.h"

kith_status kl_rows_new(kl_rows *rows, uint32_t n_attributes, size_t count, arena *memory,
                        kith_error *error)
{
    if (count > UINT32_MAX)
        return error_set(error, KITH_INVALID, "%zu rows are too many for one process", count);
    *rows = (kl_rows){.count = (uint32_t)count};
    rows->node = TRY_ARRAY(rows->node, memory, n_attributes, error);
    rows->n = TRY_ARRAY(rows->n, memory, count, error);
    for (uint32_t j = 0; j < n_attributes; j++)
        rows->node[j] = TRY_ARRAY(rows->node[j], memory, count, error);
    return KITH_OK;
}

/* Sorts the numbers of rows by counting, last attribute first. */
static kith_status sort_places(uint32_t *places, const kl_rows *rows, const kl_order *order,
                               arena *scratch, kith_error *error)
{
    uint32_t *from = places, *to = arena_array(scratch, rows->count, sizeof *to), *swap;
    TRY_ALLOC(to, error);
    for (uint32_t at = order->n_attributes; at-- > 0; swap = from, from = to, to = swap) {
        const uint32_t n_nodes = order->trees[order->attribute[at]]->n_nodes;
        const uint32_t *nodes = rows->node[order->attribute[at]];
        const size_t n_start = (size_t)n_nodes + 1;
        uint32_t *start = TRY_ZEROS(start, scratch, n_start, error);
        for (uint32_t i = 0; i < rows->count; i++)
            start[nodes[i] + 1]++;
        for (uint32_t node = 0; node < n_nodes; node++)
            start[node + 1] += start[node];
        for (uint32_t i = 0; i < rows->count; i++)
            to[start[nodes[from[i]]]++] = from[i];
        arena_release(scratch, start, n_start * sizeof *start);
    }
    if (from != places)
        memcpy(places, from, rows->count * sizeof *places);
    return KITH_OK;
}

static bool same_row(const kl_rows *rows, uint32_t n_attributes, uint32_t a, uint32_t b)
{
    for (uint32_t j = 0; j < n_attributes; j++)
        if (rows->node[j][a] != rows->node[j][b])
            return false;
    return true;
}

kith_status kl_rows_sort(kl_rows *sorted, const kl_rows *rows, const kl_order *order, arena *memory,
                         kith_error *error)
{
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(memory), error);
    /* Rows that stand for one record each get numbers, which can be added up then. */
    kl_rows counted = *rows;
    uint32_t *places = TRY_ARRAY(places, scratch, rows->count, error);
    counted.n = TRY_ARRAY(counted.n, scratch, rows->count, error);
    for (uint32_t i = 0; i < rows->count; i++) {
        places[i] = i;
        counted.n[i] = rows->n == NULL ? 1 : rows->n[i];
    }
    TRY(sort_places(places, &counted, order, scratch, error));
    uint32_t kept = 0; /* of equal rows the first */
    for (uint32_t i = 0; i < rows->count; i++)
        if (kept > 0 && same_row(rows, order->n_attributes, places[kept - 1], places[i]))
            counted.n[places[kept - 1]] += counted.n[places[i]];
        else
            places[kept++] = places[i];
    TRY(kl_rows_new(sorted, order->n_attributes, kept, memory, error));
    for (uint32_t i = 0; i < kept; i++)
        sorted->n[i] = counted.n[places[i]];
    for (uint32_t j = 0; j < order->n_attributes; j++)
        for (uint32_t i = 0; i < kept; i++)
            sorted->node[j][i] = rows->node[j][places[i]];
    return KITH_OK;
}

kith_status kl_rows_gather(kl_rows *all, const kl_rows *own, uint32_t n_attributes,
                           kith_ranks *ranks, arena *memory, kith_error *error)
{
    *all = *own;
    if (ranks_count(ranks) == 1)
        return KITH_OK;
    arena *letters ARENA_SCOPED = TRY_ALLOC(arena_new_like(memory), error);
    const uint32_t n_ranks = ranks_count(ranks);
    const size_t row_bytes = (n_attributes + (size_t)1) * sizeof(uint32_t);
    ranks_bytes *of = TRY_ARRAY(of, letters, n_ranks, error);
    bytes_writer w = {.memory = letters};
    size_t count = 0;
    for (uint32_t j = 0; j <= n_attributes; j++)
        bytes_write(&w, j < n_attributes ? own->node[j] : own->n, own->count * sizeof(uint32_t));
    TRY(bytes_written(&w, error));
    TRY(ranks_gather(ranks, w.bytes, w.length, of, letters, error));
    for (uint32_t r = 0; r < n_ranks; r++)
        count += of[r].n_bytes / row_bytes;
    TRY(kl_rows_new(all, n_attributes, count, memory, error));
    uint32_t at = 0;
    for (uint32_t r = 0; r < n_ranks; r++) { /* columns one after the other, the numbers last */
        const size_t column_bytes = of[r].n_bytes / (n_attributes + (size_t)1);
        for (uint32_t j = 0; j <= n_attributes && column_bytes > 0; j++)
            memcpy((j < n_attributes ? all->node[j] : all->n) + at,
                   (const char *)of[r].bytes + j * column_bytes, column_bytes);
        at += (uint32_t)(of[r].n_bytes / row_bytes);
    }
    return KITH_OK;
}
