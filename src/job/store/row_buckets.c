#include "job/store/row_buckets.h"

#include "core/error.h"

kith_status row_buckets_open(row_buckets *b, const kith_table *like, uint32_t n_buckets,
                             uint64_t n_bytes, const char *beside, arena *memory, kith_error *error)
{
    *b = (row_buckets){.like = *like};
    TRY(row_bytes_table(&b->form, like, memory, error));
    b->cells = TRY_ALLOC(arena_array(memory, b->form.n_cells, sizeof *b->cells), error);
    b->record = TRY_ALLOC(arena_alloc(memory, b->form.n_bytes), error);
    return buckets_open(&b->buckets, n_buckets, b->form.n_bytes, n_bytes, beside, memory, error);
}

kith_status row_buckets_distribute(row_buckets *b, const kith_table *rows,
                                   const uint32_t *bucket_of, kith_error *error)
{
    for (uint32_t i = 0; i < rows->n_rows; i++) {
        row_bytes_take(b->cells, rows, i);
        row_bytes_put(&b->form, b->record, b->cells);
        TRY(buckets_add(b->buckets, bucket_of[i], b->record, error));
    }
    return KITH_OK;
}

kith_status row_buckets_read(const row_buckets *b, uint32_t bucket, kith_table *rows, arena *memory,
                             kith_error *error)
{
    const uint32_t n = (uint32_t)buckets_size(b->buckets, bucket), n_bytes = b->form.n_bytes;
    uint8_t *bytes = TRY_ALLOC(arena_array(memory, n, n_bytes), error);
    TRY(buckets_read(b->buckets, bucket, bytes, error));
    TRY(table_room(rows, &b->like, n, memory, error));
    for (uint32_t i = 0; i < n; i++) {
        row_bytes_get(&b->form, b->cells, bytes + (size_t)i * n_bytes);
        row_bytes_give(b->cells, rows, i);
    }
    arena_release(memory, bytes, (size_t)n * n_bytes);
    return KITH_OK;
}
