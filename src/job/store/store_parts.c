/* The rows of the release in its order, and the release beside the data: a file as receivers will
 * read it. */
#include <string.h>

#include "core/error.h"
#include "job/store/store_internal.h"
#include "job/store/store_pairs.h"

kith_status store_read_back(store *s, kith_error *error)
{
    static const row_spill_rule all = {.needed = NULL};
    const publication *out = s->out;
    const kith_table_options options =
        KITH_OPTIONS(kith_table_options, .separator = out->separator);
    const kith_run quiet = KITH_OPTIONS(kith_run, .n_threads = s->context->run->n_threads);
    TRY(row_spill_read(&s->release, table_writer_readable(out->release), &options, &all, s->beside,
                       &quiet, s->context->memory, error));
    if (row_spill_rows(s->release) == row_spill_rows(s->made))
        return KITH_OK;
    return error_set(error, KITH_BUG, "%llu rows were written, and %llu read back",
                     (unsigned long long)row_spill_rows(s->made),
                     (unsigned long long)row_spill_rows(s->release));
}

kith_status store_sort(store *s, kith_error *error)
{
    TRY(store_pairs_open(&s->sorted, s, &s->block, s->made,
                         s->options->shuffle ? STORE_BY_CHANCE : STORE_BY_CELLS, s->context->memory,
                         error));
    for (uint32_t i = 0; i < row_spill_blocks(s->made); i++) {
        TRY(row_spill_block(s->data, i, &s->block, error));
        TRY(row_spill_block(s->made, i, &s->texts, error));
        TRY(store_pairs_add(s->sorted, &s->block, &s->texts, error));
    }
    row_spill_forget(s->made);
    if (!s->rule.numbered && s->study->n_unit == 0) /* else whose the rows are is asked once more */
        row_spill_forget(s->data);
    return KITH_OK;
}

kith_status store_visit_made(store *s, store_part_visit visit, void *to, kith_error *error)
{
    const store_part block = {&s->block, &s->texts, row_spill_counts(s->made)};
    if (s->sorted != NULL)
        return store_pairs_visit(s->sorted, visit, to, s->context->memory, error);
    for (uint32_t i = 0; i < row_spill_blocks(s->made); i++) {
        TRY(row_spill_block(s->data, i, &s->block, error));
        TRY(row_spill_block(s->made, i, &s->texts, error));
        TRY(visit(to, &block, error));
    }
    return KITH_OK;
}

/* Goes through the rows that were read back, as they stand. */
typedef struct reader {
    store *store;
    kith_table block;        /* of the rows that were read back */
    uint32_t n_blocks, used; /* blocks that have been read, and rows of the last one */
    kith_table some;         /* rows for one part */
    size_t room;
} reader;

static kith_status next_rows(reader *r, uint32_t n, kith_error *error)
{
    store *s = r->store;
    for (uint32_t i = 0; i < r->some.n_columns && n > r->room; i++)
        TRY_RESIZE(r->some.columns[i].codes, s->pairs_memory, r->room, n, error);
    r->room = n > r->room ? n : r->room;
    for (uint32_t done = 0; done < n;) {
        if (r->used == r->block.n_rows) {
            TRY(row_spill_block(s->release, r->n_blocks++, &r->block, error));
            r->used = 0;
        }
        const uint32_t left = r->block.n_rows - r->used, more = left < n - done ? left : n - done;
        for (uint32_t i = 0; i < r->some.n_columns; i++)
            memcpy(r->some.columns[i].codes + done, r->block.columns[i].codes + r->used,
                   more * sizeof(uint32_t));
        r->used += more;
        done += more;
    }
    r->some.n_rows = n;
    return KITH_OK;
}

static kith_status pair_read(void *to, const store_part *made, kith_error *error)
{
    reader *r = to;
    TRY(next_rows(r, made->data->n_rows, error));
    r->some.source_rows = made->texts->source_rows;
    return store_pairs_add(r->store->pairs, made->data, &r->some, error);
}

static kith_status pair_made(void *to, const store_part *made, kith_error *error)
{
    const store *s = to;
    return store_pairs_add(s->pairs, made->data, made->texts, error);
}

static kith_status pair_up(store *s, kith_error *error)
{
    arena *memory = s->pairs_memory;
    TRY(store_pairs_open(&s->pairs, s, &s->block, s->release, STORE_BY_CLASS, memory, error));
    if (s->release == s->made)
        return store_visit_made(s, pair_made, s, error);
    reader r = {.store = s};
    TRY(row_spill_room(s->release, &r.block, memory, error));
    r.block.n_rows = 0;
    TRY(table_room(&r.some, row_spill_table(s->release), 0, memory, error));
    return store_visit_made(s, pair_read, &r, error);
}

kith_status store_parts(store *s, store_part_visit visit, void *to, kith_error *error)
{
    if (s->pairs == NULL)
        TRY(pair_up(s, error));
    return store_pairs_visit(s->pairs, visit, to, s->context->memory, error);
}
