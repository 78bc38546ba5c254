#include "job/share/share_align.h"

#include <string.h>

#include "core/bytes.h"
#include "core/check.h"
#include "core/crew.h"
#include "core/error.h"

/* Some rows of the whole table. */
typedef struct range {
    uint64_t first, end;
} range;

static range common(range a, range b)
{
    const uint64_t first = a.first > b.first ? a.first : b.first;
    const uint64_t end = a.end < b.end ? a.end : b.end;
    return (range){first, first < end ? end : first};
}

/* The own rows of a range, column by column. */
static kith_status pack(crew_bytes *out, const kith_table *own, uint64_t first, range rows,
                        arena *memory, kith_error *error)
{
    const size_t n_bytes = (size_t)(rows.end - rows.first) * sizeof(uint32_t);
    bytes_writer w = {.memory = memory};
    for (uint32_t i = 0; i < own->n_columns; i++)
        bytes_write(&w, own->columns[i].codes + (rows.first - first), n_bytes);
    *out = (crew_bytes){w.bytes, w.length};
    return bytes_written(&w, error);
}

/* Adds rows behind those that have come before; returns how many. */
static uint32_t unpack(kith_table *to, uint32_t at, const crew_bytes *in)
{
    const size_t n_bytes = in->n_bytes / to->n_columns;
    for (uint32_t i = 0; i < to->n_columns && n_bytes > 0; i++)
        memcpy(to->columns[i].codes + at, (const char *)in->bytes + i * n_bytes, n_bytes);
    return (uint32_t)(n_bytes / sizeof(uint32_t));
}

static kith_status move_rows(kith_table *aligned, const kith_table *own, const share *at,
                             const share *other, context *c, arena *letters, kith_error *error)
{
    const uint32_t n_ranks = crew_size(c->crew);
    const range here = {at->first_row, at->first_row + own->n_rows};
    const range wanted = {other->first_row, other->first_row + aligned->n_rows};
    crew_bytes *ranges = TRY_ALLOC(arena_zalloc(letters, n_ranks, sizeof *ranges), error);
    crew_bytes *out = TRY_ALLOC(arena_zalloc(letters, n_ranks, sizeof *out), error);
    crew_bytes *in = TRY_ALLOC(arena_zalloc(letters, n_ranks, sizeof *in), error);
    TRY(crew_gather(c->crew, &wanted, sizeof wanted, ranges, letters, error));
    for (uint32_t r = 0; r < n_ranks; r++) {
        range theirs;
        memcpy(&theirs, ranges[r].bytes, sizeof theirs);
        TRY(pack(&out[r], own, at->first_row, common(here, theirs), letters, error));
    }
    TRY(crew_exchange(c->crew, out, in, letters, error));
    uint32_t n = 0;
    for (uint32_t r = 0; r < n_ranks; r++)
        n += unpack(aligned, n, &in[r]);
    ASSERT(n == aligned->n_rows);
    return KITH_OK;
}

kith_status share_align(kith_table *aligned, const kith_table *own, const share *at,
                        uint32_t n_other, context *c, kith_error *error)
{
    share other;
    TRY(share_place(&other, n_other, c, error));
    ASSERT(other.n_rows == at->n_rows);
    TRY(table_room(aligned, own, n_other, c->memory, error));
    aligned->separator = 0; /* what stands on which line is known where it was read */
    aligned->n_pieces = 0;
    arena *letters = TRY_ALLOC(arena_new_like(c->memory), error);
    const kith_status status = move_rows(aligned, own, at, &other, c, letters, error);
    arena_free(letters);
    return status;
}
