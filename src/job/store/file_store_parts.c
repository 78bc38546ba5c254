/* The release is read back as receivers will read it, beside the data. */
#include "core/error.h"
#include "job/store/file_store_internal.h"
#include "job/store/store_pairs.h"

/* Two files that have the same rows. */
typedef struct both_files {
    file_store *store;
    row_spill *release;
    kith_table texts; /* room for a block of it */
} both_files;

static kith_status read_back(both_files *b, arena *memory, kith_error *error)
{
    const publication *out = &b->store->publication;
    static const row_spill_rule all = {.needed = NULL};
    const kith_table_options options =
        KITH_OPTIONS(kith_table_options, .separator = out->separator);
    const kith_run quiet = KITH_OPTIONS(kith_run, .n_threads = b->store->context->run->n_threads);
    TRY(row_spill_read(&b->release, table_writer_readable(out->release), &options, &all,
                       b->store->options->output, &quiet, memory, error));
    if (row_spill_rows(b->release) != row_spill_rows(b->store->data))
        return error_set(error, KITH_BUG, "%llu rows were written, and %llu read back",
                         (unsigned long long)row_spill_rows(b->store->data),
                         (unsigned long long)row_spill_rows(b->release));
    return row_spill_room(b->release, &b->texts, memory, error);
}

static kith_status read_pair(void *user, uint32_t block, kith_error *error)
{
    both_files *b = user;
    TRY(row_spill_block(b->store->data, block, &b->store->block, error));
    return row_spill_block(b->release, block, &b->texts, error);
}

static kith_status sort(file_store *f, kith_error *error)
{
    arena *memory = f->pairs_memory;
    both_files *b = TRY_ALLOC(arena_alloc(memory, sizeof *b), error);
    *b = (both_files){.store = f};
    TRY(read_back(b, memory, error));
    const store_pairs_source from = {.n_rows = row_spill_rows(f->data),
                                     .n_blocks = row_spill_blocks(f->data),
                                     .data = &f->block,
                                     .texts = &b->texts,
                                     .read = read_pair,
                                     .user = b};
    TRY(store_pairs_make(&f->pairs, &from, f->values, f->buffer_bytes, f->options->output, memory,
                         error));
    f->publication.assessed = true;
    return KITH_OK;
}

kith_status file_store_parts(void *self, store_part_visit visit, void *to, kith_error *error)
{
    file_store *f = self;
    if (f->pairs == NULL)
        TRY(sort(f, error));
    return store_pairs_visit(f->pairs, visit, to, f->context->memory, error);
}
