#include "job/slice/slice_mapping.h"

#include <string.h>

#include "core/bytes.h"
#include "core/run/ranks.h"
#include "core/error.h"
#include "table/rows/code_numbers.h"

/* Numbers for the own classes, the same for one class on all ranks: by its id, or by what it shows. */
static kith_status name_classes(code_numbers *names, const partition *own, const problem *p,
                                context *c, arena *memory, kith_error *error)
{
    const uint32_t n = own->n_classes, n_keys = own->id != NULL ? 2 : p->n_attributes;
    uint32_t *n_codes = TRY_ARRAY(n_codes, memory, n_keys, error);
    uint32_t **codes = TRY_ARRAY(codes, memory, n_keys, error);
    const code_rows rows = {.n_rows = n, .n_columns = n_keys, .n_codes = n_codes, .codes = codes};
    for (uint32_t j = 0; j < n_keys; j++) {
        n_codes[j] = UINT32_MAX - 1;
        codes[j] = TRY_ARRAY(codes[j], memory, n, error);
        for (uint32_t i = 0; i < n; i++)
            codes[j][i] = own->id == NULL ? own->closure[(size_t)i * p->n_attributes + j]
                                          : (uint32_t)(j == 0 ? own->id[i] >> 32 : own->id[i]);
    }
    return code_numbers_make(names, &rows, c, memory, error);
}

kith_status slice_mapping_classes(uint32_t **number, const partition *own, const problem *p,
                                  context *c, arena *memory, kith_error *error)
{
    const uint32_t n_ranks = ranks_count(c->ranks);
    code_numbers names;
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(memory), error);
    ranks_bytes *all = TRY_ARRAY(all, scratch, n_ranks, error);
    *number = TRY_ARRAY(*number, memory, own->n_classes, error);
    for (uint32_t i = 0; i < own->n_classes; i++)
        (*number)[i] = i;
    if (n_ranks == 1) /* classes have no ids */
        return KITH_OK;
    TRY(name_classes(&names, own, p, c, scratch, error));
    TRY(ranks_gather(c->ranks, names.of, own->n_classes * sizeof *names.of, all, scratch, error));
    uint32_t next = 0, *order = TRY_ARRAY(order, scratch, names.count, error);
    memset(order, 0xff, names.count * sizeof *order);
    for (uint32_t r = 0; r < n_ranks; r++) {
        const uint32_t *of = all[r].bytes; /* in the order of the first records of that rank */
        for (size_t i = 0; i < all[r].n_bytes / sizeof *of; i++)
            if (order[of[i]] == UINT32_MAX)
                order[of[i]] = next++;
    }
    for (uint32_t i = 0; i < own->n_classes; i++)
        (*number)[i] = order[names.of[i]];
    return KITH_OK;
}

/* Some records of a rank go to the first one. */
static kith_status send_block(mapping_file *to, const mapping_records *own, uint32_t rank,
                              uint32_t first, context *c, arena *scratch, kith_error *error)
{
    const uint32_t n_ranks = ranks_count(c->ranks);
    bytes_writer w = {.memory = scratch};
    ranks_bytes *out = TRY_ALLOC(arena_zalloc(scratch, n_ranks, sizeof *out), error);
    ranks_bytes *in = TRY_ALLOC(arena_zalloc(scratch, n_ranks, sizeof *in), error);
    if (ranks_self(c->ranks) == rank)
        TRY(mapping_file_pack(to, own, first, &w, error));
    out[0] = (ranks_bytes){w.bytes, w.length};
    TRY(ranks_exchange(c->ranks, out, in, scratch, error));
    return ranks_self(c->ranks) == 0
               ? mapping_file_take(to, in[rank].bytes, in[rank].n_bytes, error)
               : KITH_OK;
}

kith_status slice_mapping_write(mapping_file *to, const mapping_records *own, context *c,
                                kith_error *error)
{
    const uint64_t n_own = own->data->n_rows;
    const uint32_t n_ranks = ranks_count(c->ranks);
    ranks_bytes *all = TRY_ALLOC(arena_array(c->memory, n_ranks, sizeof *all), error);
    TRY(ranks_gather(c->ranks, &n_own, sizeof n_own, all, c->memory, error));
    if (ranks_self(c->ranks) == 0)
        TRY(mapping_file_add(to, own, error));
    for (uint32_t r = 1; r < n_ranks; r++) {
        uint64_t n_rows;
        memcpy(&n_rows, all[r].bytes, sizeof n_rows);
        for (uint64_t first = 0; first < n_rows; first += MAPPING_FILE_BLOCK) {
            arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(c->memory), error);
            TRY(send_block(to, own, r, (uint32_t)first, c, scratch, error));
        }
    }
    return ranks_self(c->ranks) == 0 ? mapping_file_finish(to, error) : KITH_OK;
}
