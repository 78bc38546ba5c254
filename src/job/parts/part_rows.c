#include "job/parts/part_rows.h"

#include <string.h>

#include "core/error.h"

/* Multiplication moves bits upwards only, therefore the upper bits are folded down. */
static uint64_t mix(uint64_t h)
{
    h ^= h >> 32;
    h *= 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9u;
    return h ^ (h >> 32);
}

/* The rank to which a row belongs. */
static uint32_t owner(const part_rows *rows, uint32_t row, uint32_t n_ranks)
{
    uint64_t h = 0x452821e638d01377u;
    for (uint32_t i = 0; i < rows->n_keys; i++)
        h = mix(h ^ rows->codes[i][row]);
    return (uint32_t)(((h >> 32) * n_ranks) >> 32);
}

/* Bytes that a number of this column needs. */
static uint32_t width(uint32_t n_codes)
{
    return n_codes <= 1u << 8 ? 1 : n_codes <= 1u << 16 ? 2 : n_codes <= 1u << 24 ? 3 : 4;
}

static size_t row_bytes(const part_rows *rows)
{
    size_t n = 0;
    for (uint32_t i = 0; i < rows->n_columns; i++)
        n += width(rows->n_codes[i]);
    return n;
}

static unsigned char *pack(unsigned char *to, const part_rows *rows, uint32_t row)
{
    for (uint32_t i = 0; i < rows->n_columns; i++)
        for (uint32_t b = 0; b < width(rows->n_codes[i]); b++)
            *to++ = (unsigned char)(rows->codes[i][row] >> 8 * b);
    return to;
}

static const unsigned char *unpack(part_rows *rows, uint32_t row, const unsigned char *from)
{
    for (uint32_t i = 0; i < rows->n_columns; i++) {
        uint32_t code = 0;
        for (uint32_t b = 0; b < width(rows->n_codes[i]); b++)
            code |= (uint32_t)*from++ << 8 * b;
        rows->codes[i][row] = code;
    }
    return from;
}

/* One message for each rank. */
static kith_status pack_rows(crew_bytes *out, const part_rows *rows, uint32_t n_ranks,
                             arena *letters, kith_error *error)
{
    const size_t n_bytes = row_bytes(rows);
    unsigned char **end = TRY_ALLOC(arena_array(letters, n_ranks, sizeof *end), error);
    for (uint32_t row = 0; row < rows->n_rows; row++)
        out[owner(rows, row, n_ranks)].n_bytes += n_bytes;
    for (uint32_t r = 0; r < n_ranks; r++)
        out[r].bytes = end[r] = TRY_ALLOC(arena_alloc(letters, out[r].n_bytes), error);
    for (uint32_t row = 0; row < rows->n_rows; row++) {
        const uint32_t r = owner(rows, row, n_ranks);
        end[r] = pack(end[r], rows, row);
    }
    return KITH_OK;
}

static kith_status unpack_rows(part_rows *rows, const crew_bytes *in, uint32_t n_ranks,
                               arena *memory, kith_error *error)
{
    const size_t n_bytes = row_bytes(rows);
    uint64_t n = 0;
    for (uint32_t r = 0; r < n_ranks; r++)
        n += n_bytes > 0 ? in[r].n_bytes / n_bytes : 0;
    if (n > UINT32_MAX)
        return error_set(error, KITH_INVALID, "%llu rows are too many for one process",
                         (unsigned long long)n);
    rows->codes = TRY_ALLOC(arena_array(memory, rows->n_columns, sizeof *rows->codes), error);
    for (uint32_t i = 0; i < rows->n_columns; i++)
        rows->codes[i] = TRY_ALLOC(arena_array(memory, n, sizeof *rows->codes[i]), error);
    rows->n_rows = 0;
    for (uint32_t r = 0; r < n_ranks; r++) {
        const unsigned char *at = in[r].bytes, *end = at + in[r].n_bytes;
        while (at < end)
            at = unpack(rows, rows->n_rows++, at);
    }
    return KITH_OK;
}

static kith_status exchange(part_rows *in, const part_rows *out, crew *ranks, arena *memory,
                            arena *letters, kith_error *error)
{
    const uint32_t n_ranks = crew_size(ranks);
    crew_bytes *to = TRY_ALLOC(arena_zalloc(letters, n_ranks, sizeof *to), error);
    crew_bytes *from = TRY_ALLOC(arena_zalloc(letters, n_ranks, sizeof *from), error);
    TRY(pack_rows(to, out, n_ranks, letters, error));
    TRY(crew_exchange(ranks, to, from, letters, error));
    return unpack_rows(in, from, n_ranks, memory, error);
}

kith_status part_rows_exchange(part_rows *in, const part_rows *out, context *c, arena *memory,
                               kith_error *error)
{
    *in = *out;
    if (crew_size(c->crew) == 1)
        return KITH_OK;
    arena *letters = TRY_ALLOC(arena_new_like(memory), error);
    const kith_status status = exchange(in, out, c->crew, memory, letters, error);
    arena_free(letters);
    return status;
}
