/* The release is read back as receivers will read it, and sorted by what its rows show, so that all
 * rows of a class come together. */
#include "core/error.h"
#include "job/store/file_store_internal.h"

enum { PART_ROWS = 1 << 17 }; /* of a part, on average */

/* Data and release side by side. */
typedef struct file_store_pairs {
    file_store *store;
    row_spill *release;
    kith_table texts;         /* room for a block of it */
    uint32_t n_quasi, *quasi; /* its columns that show quasi-identifiers */
    packed_rows data_form, texts_form;
    buckets *buckets;
} pairs;

static kith_status read_back(pairs *p, arena *memory, kith_error *error)
{
    const publication *out = &p->store->publication;
    static const row_spill_rule all = {.needed = NULL};
    const kith_table_options options =
        KITH_OPTIONS(kith_table_options, .separator = out->separator);
    const kith_run quiet = KITH_OPTIONS(kith_run, .n_threads = p->store->context->run->n_threads);
    TRY(row_spill_read(&p->release, table_writer_readable(out->release), &options, &all,
                       p->store->options->output, &quiet, memory, error));
    if (row_spill_rows(p->release) != row_spill_rows(p->store->data))
        return error_set(error, KITH_BUG, "%llu rows were written, and %llu read back",
                         (unsigned long long)row_spill_rows(p->store->data),
                         (unsigned long long)row_spill_rows(p->release));
    return row_spill_room(p->release, &p->texts, memory, error);
}

static kith_status find_quasi(pairs *p, arena *memory, kith_error *error)
{
    const prepared *values = p->store->values;
    p->n_quasi = values->problem.n_attributes;
    p->quasi = TRY_ALLOC(arena_array(memory, p->n_quasi, sizeof *p->quasi), error);
    for (uint32_t j = 0; j < p->n_quasi; j++) {
        const char *name = values->columns[values->quasi[j]].study->name;
        p->quasi[j] = table_find(&p->texts, name);
        if (p->quasi[j] == UINT32_MAX)
            return error_set(error, KITH_BUG, "the release has no column %s", name);
    }
    return KITH_OK;
}

/* The same for equal rows; spread evenly over the buckets. */
static uint32_t bucket_of(const pairs *p, uint32_t row)
{
    uint64_t hash = 0;
    for (uint32_t j = 0; j < p->n_quasi; j++) {
        hash = (hash ^ p->texts.columns[p->quasi[j]].codes[row]) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return (uint32_t)(hash % buckets_count(p->buckets));
}

static kith_status deal_block(pairs *p, uint32_t *cells, uint8_t *record, kith_error *error)
{
    const kith_table *data = &p->store->block;
    for (uint32_t i = 0; i < data->n_rows; i++) {
        packed_rows_take(cells, data, i);
        packed_rows_put(&p->data_form, record, cells);
        packed_rows_take(cells, &p->texts, i);
        packed_rows_put(&p->texts_form, record + p->data_form.n_bytes, cells);
        TRY(buckets_add(p->buckets, bucket_of(p, i), record, error));
    }
    return KITH_OK;
}

static kith_status deal(pairs *p, arena *memory, kith_error *error)
{
    file_store *f = p->store;
    const uint64_t n_buckets = row_spill_rows(f->data) / PART_ROWS + 1;
    TRY(packed_rows_table(&p->data_form, &f->block, 0, memory, error));
    TRY(packed_rows_table(&p->texts_form, &p->texts, 0, memory, error));
    const uint32_t n_bytes = p->data_form.n_bytes + p->texts_form.n_bytes;
    TRY(buckets_open(&p->buckets, (uint32_t)n_buckets, n_bytes, f->buffer_bytes, f->options->output,
                     memory, error));
    const uint32_t n_cells =
        f->block.n_columns > p->texts.n_columns ? f->block.n_columns : p->texts.n_columns;
    uint32_t *cells = TRY_ALLOC(arena_array(memory, n_cells, sizeof *cells), error);
    uint8_t *record = TRY_ALLOC(arena_alloc(memory, n_bytes), error);
    for (uint32_t i = 0; i < row_spill_blocks(f->data); i++) {
        TRY(row_spill_block(f->data, i, &f->block, error));
        TRY(row_spill_block(p->release, i, &p->texts, error));
        TRY(deal_block(p, cells, record, error));
    }
    return KITH_OK;
}

/* The two tables of one bucket. */
static kith_status visit_part(const pairs *p, uint32_t bucket, store_part_visit visit, void *to,
                              arena *memory, kith_error *error)
{
    kith_table data, texts;
    const uint32_t n = (uint32_t)buckets_size(p->buckets, bucket);
    const uint32_t n_bytes = p->data_form.n_bytes + p->texts_form.n_bytes;
    const uint32_t n_cells = p->data_form.n_cells + p->texts_form.n_cells;
    uint8_t *bytes = TRY_ALLOC(arena_array(memory, n, n_bytes), error);
    uint32_t *cells = TRY_ALLOC(arena_array(memory, n_cells, sizeof *cells), error);
    TRY(buckets_read(p->buckets, bucket, bytes, error));
    TRY(table_room(&data, &p->store->block, n, memory, error));
    TRY(table_room(&texts, &p->texts, n, memory, error));
    for (uint32_t i = 0; i < n; i++) {
        const uint8_t *record = bytes + (size_t)i * n_bytes;
        packed_rows_get(&p->data_form, cells, record);
        packed_rows_give(cells, &data, i);
        packed_rows_get(&p->texts_form, cells, record + p->data_form.n_bytes);
        packed_rows_give(cells, &texts, i);
    }
    arena_release(memory, bytes, (size_t)n * n_bytes);
    const store_part part = {&data, &texts};
    return visit(to, &part, error);
}

static kith_status visit_parts(const pairs *p, store_part_visit visit, void *to, kith_error *error)
{
    for (uint32_t i = 0; i < buckets_count(p->buckets); i++) {
        if (buckets_size(p->buckets, i) == 0)
            continue;
        arena *memory = TRY_ALLOC(arena_new_like(p->store->context->memory), error);
        const kith_status status = visit_part(p, i, visit, to, memory, error);
        arena_free(memory);
        TRY(status);
    }
    return KITH_OK;
}

static kith_status sort(file_store *f, kith_error *error)
{
    arena *memory = f->pairs_memory;
    pairs *p = TRY_ALLOC(arena_alloc(memory, sizeof *p), error);
    *p = (pairs){.store = f};
    TRY(read_back(p, memory, error));
    TRY(find_quasi(p, memory, error));
    TRY(deal(p, memory, error));
    f->pairs = p;
    f->publication.assessed = true;
    return KITH_OK;
}

kith_status file_store_parts(void *self, store_part_visit visit, void *to, kith_error *error)
{
    file_store *f = self;
    if (f->pairs == NULL)
        TRY(sort(f, error));
    return visit_parts(f->pairs, visit, to, error);
}
