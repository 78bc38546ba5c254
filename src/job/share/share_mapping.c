#include "job/share/share_mapping.h"

#include <string.h>

#include "core/bytes.h"
#include "core/run/ranks.h"
#include "core/error.h"
#include "table/rows/code_rows.h"
#include "table/rows/row_groups.h"

/* Columns by which ranks know a class: its id, or what it shows; behind them its first own record,
 * and this rank. */
static kith_status name_classes(code_rows *names, const partition *own, const problem *p,
                                uint64_t first_record, context *c, arena *memory, kith_error *error)
{
    const uint32_t n = own->n_classes, n_keys = own->id != NULL ? 2 : p->n_attributes;
    uint32_t *n_codes = TRY_ALLOC(arena_array(memory, n_keys + (size_t)2, sizeof *n_codes), error);
    uint32_t **codes = TRY_ALLOC(arena_array(memory, n_keys + (size_t)2, sizeof *codes), error);
    *names = (code_rows){n, n_keys + 2, n_keys, n_codes, codes};
    for (uint32_t j = 0; j < n_keys + 2; j++) {
        n_codes[j] = UINT32_MAX;
        codes[j] = TRY_ALLOC(arena_array(memory, n, sizeof *codes[j]), error);
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n_keys; j++)
            codes[j][i] = own->id == NULL ? own->closure[(size_t)i * p->n_attributes + j]
                                          : (uint32_t)(j == 0 ? own->id[i] >> 32 : own->id[i]);
        codes[n_keys + 1][i] = ranks_self(c->ranks);
    }
    for (uint32_t i = 0, next = 0; i < p->n_records && next < n; i++)
        if (own->class_of[i] == next) /* they are numbered in this order */
            codes[n_keys][next++] = (uint32_t)first_record + i;
    return KITH_OK;
}

/* For each class of this rank its first record, numbered over all ranks. The rank that all others
 * ask about a class knows it. */
static kith_status find_first(uint32_t **first, const code_rows *names, context *c, arena *memory,
                              kith_error *error)
{
    const uint32_t n_keys = names->n_keys;
    code_rows asked;
    row_groups groups;
    kith_table answers = {0}, none;
    TRY(code_rows_exchange(&asked, names, c, memory, error));
    uint32_t *columns = TRY_ALLOC(arena_array(memory, n_keys, sizeof *columns), error);
    column *keys = TRY_ALLOC(arena_zalloc(memory, n_keys, sizeof *keys), error);
    for (uint32_t j = 0; j < n_keys; j++) {
        columns[j] = j;
        keys[j].codes = asked.codes[j];
        for (uint32_t i = 0; i < asked.n_rows; i++)
            if (keys[j].values.count <= asked.codes[j][i])
                keys[j].values.count = asked.codes[j][i] + 1;
    }
    const kith_table table = {.n_rows = asked.n_rows, .n_columns = n_keys, .columns = keys};
    TRY(row_groups_by(&groups, memory, &table, columns, n_keys, error));
    uint32_t *born = TRY_ALLOC(arena_array(memory, groups.count, sizeof *born), error);
    memset(born, 0xff, groups.count * sizeof *born);
    *first = TRY_ALLOC(arena_array(memory, asked.n_rows, sizeof **first), error);
    for (uint32_t i = 0; i < asked.n_rows; i++)
        if (asked.codes[n_keys][i] < born[groups.of[i]])
            born[groups.of[i]] = asked.codes[n_keys][i];
    for (uint32_t i = 0; i < asked.n_rows; i++)
        (*first)[i] = born[groups.of[i]];
    uint32_t *to = TRY_ALLOC(arena_array(memory, names->n_rows, sizeof *to), error);
    code_rows_owners(to, names, ranks_count(c->ranks));
    answers.n_rows = asked.n_rows;
    return code_rows_return_table(&none, first, &answers, asked.codes[n_keys + 1], to,
                                  names->n_rows, UINT32_MAX, c, memory, error);
}

/* Where a number is in an ascending list of all ranks. */
static uint32_t find_number(const ranks_bytes *lists, uint32_t n_ranks, uint32_t number)
{
    uint32_t before = 0;
    for (uint32_t r = 0; r < n_ranks; r++) {
        const uint32_t *list = lists[r].bytes, n = (uint32_t)(lists[r].n_bytes / sizeof *list);
        if (n > 0 && number <= list[n - 1]) {
            uint32_t low = 0, high = n - 1;
            while (low < high) {
                const uint32_t middle = low + (high - low) / 2;
                if (list[middle] < number)
                    low = middle + 1;
                else
                    high = middle;
            }
            return before + low;
        }
        before += n;
    }
    return before;
}

kith_status share_mapping_classes(uint32_t **number, const partition *own, const problem *p,
                                  uint64_t first_record, context *c, arena *memory,
                                  kith_error *error)
{
    const uint32_t n_ranks = ranks_count(c->ranks);
    code_rows names;
    uint32_t n_born = 0,
             *first = TRY_ALLOC(arena_array(memory, own->n_classes, sizeof *first), error);
    for (uint32_t i = 0; i < own->n_classes; i++)
        first[i] = i;
    *number = first;
    if (n_ranks == 1)
        return KITH_OK;
    TRY(name_classes(&names, own, p, first_record, c, memory, error));
    TRY(find_first(&first, &names, c, memory, error));
    uint32_t *born = TRY_ALLOC(arena_array(memory, own->n_classes, sizeof *born), error);
    for (uint32_t i = 0; i < own->n_classes; i++)
        if (first[i] == names.codes[names.n_keys][i])
            born[n_born++] = first[i];
    ranks_bytes *all = TRY_ALLOC(arena_array(memory, n_ranks, sizeof *all), error);
    TRY(ranks_gather(c->ranks, born, n_born * sizeof *born, all, memory, error));
    for (uint32_t i = 0; i < own->n_classes; i++)
        first[i] = find_number(all, n_ranks, first[i]);
    *number = first;
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

kith_status share_mapping_write(mapping_file *to, const mapping_records *own, context *c,
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
