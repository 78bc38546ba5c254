#include "job/slice/slice_align.h"

#include <string.h>

#include "core/check.h"
#include "core/run/ranks.h"
#include "core/error.h"
#include "table/rows/code_rows.h"

/* The rank that has each row of the other table: to[i] for row i of those that are here. */
static kith_status find_ranks(uint32_t *to, const kith_table *own, uint64_t first, uint64_t end,
                              context *c, arena *scratch, kith_error *error)
{
    const uint32_t n_ranks = ranks_count(c->ranks);
    ranks_bytes *ends = TRY_ALLOC(arena_array(scratch, n_ranks, sizeof *ends), error);
    TRY(ranks_gather(c->ranks, &end, sizeof end, ends, scratch, error));
    for (uint32_t r = 0, row = 0; r < n_ranks; r++) {
        uint64_t theirs;
        memcpy(&theirs, ends[r].bytes, sizeof theirs);
        while (row < own->n_rows && first + row < theirs)
            to[row++] = r;
    }
    return KITH_OK;
}

static kith_status move_rows(kith_table *aligned, const kith_table *own, const slice *at,
                             const slice *other, uint32_t n_other, context *c, arena *scratch,
                             kith_error *error)
{
    uint32_t *to = TRY_ALLOC(arena_array(scratch, own->n_rows, sizeof *to), error), *none = NULL;
    TRY(find_ranks(to, own, at->first_row, other->first_row + n_other, c, scratch, error));
    return code_rows_send_table(aligned, &none, own, to, 0, c, c->memory, error);
}

kith_status slice_align(kith_table *aligned, const kith_table *own, const slice *at,
                        uint32_t n_other, context *c, kith_error *error)
{
    slice other;
    TRY(slice_place(&other, n_other, c, error));
    ASSERT(other.n_rows == at->n_rows);
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(c->memory), error);
    TRY(move_rows(aligned, own, at, &other, n_other, c, scratch, error));
    ASSERT(aligned->n_rows == n_other);
    return KITH_OK;
}
