#include "job/store/store_pairs.h"

#include <string.h>

#include "core/error.h"
#include "job/store/row_buckets.h"

enum { PART_ROWS = 1 << 17 }; /* of a part, on average */

struct store_pairs {
    const kith_table *data, *texts; /* for what they have beside columns */
    kith_table both;                /* a block of them: the columns of `data`, then of `texts` */
    uint32_t n_quasi, *quasi;       /* columns of `texts` that show quasi-identifiers */
    row_buckets rows;
};

static kith_status find_quasi(store_pairs *p, const prepared *values, arena *memory,
                              kith_error *error)
{
    p->n_quasi = values->problem.n_attributes;
    p->quasi = TRY_ALLOC(arena_array(memory, p->n_quasi, sizeof *p->quasi), error);
    for (uint32_t j = 0; j < p->n_quasi; j++) {
        const char *name = values->columns[values->quasi[j]].study->name;
        p->quasi[j] = table_find(p->texts, name);
        if (p->quasi[j] == UINT32_MAX)
            return error_set(error, KITH_BUG, "the release has no column %s", name);
    }
    return KITH_OK;
}

/* The columns of both tables as those of one. */
static kith_status join_columns(store_pairs *p, arena *memory, kith_error *error)
{
    const uint32_t n_data = p->data->n_columns, n_texts = p->texts->n_columns;
    p->both = (kith_table){.n_columns = n_data + n_texts};
    p->both.columns =
        TRY_ALLOC(arena_array(memory, p->both.n_columns, sizeof *p->both.columns), error);
    memcpy(p->both.columns, p->data->columns, n_data * sizeof *p->both.columns);
    memcpy(p->both.columns + n_data, p->texts->columns, n_texts * sizeof *p->both.columns);
    return KITH_OK;
}

/* The same for equal rows; spread evenly over the buckets. */
static uint32_t bucket_of(const store_pairs *p, uint32_t row)
{
    uint64_t hash = 0;
    for (uint32_t j = 0; j < p->n_quasi; j++) {
        hash = (hash ^ p->texts->columns[p->quasi[j]].codes[row]) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return (uint32_t)(hash % buckets_count(p->rows.buckets));
}

static kith_status deal(store_pairs *p, const store_pairs_source *from, arena *memory,
                        kith_error *error)
{
    uint32_t *to = NULL;
    size_t room = 0;
    for (uint32_t i = 0; i < from->n_blocks; i++) {
        TRY(from->read(from->user, i, error));
        p->both.n_rows = p->data->n_rows;
        TRY_GROW(to, room, p->both.n_rows, memory, error);
        for (uint32_t row = 0; row < p->both.n_rows; row++)
            to[row] = bucket_of(p, row);
        TRY(row_buckets_deal(&p->rows, &p->both, to, 0, error));
    }
    return KITH_OK;
}

kith_status store_pairs_make(store_pairs **result, const store_pairs_source *from,
                             const prepared *values, uint64_t n_bytes, const char *beside,
                             arena *memory, kith_error *error)
{
    store_pairs *p = TRY_ALLOC(arena_zalloc(memory, 1, sizeof *p), error);
    p->data = from->data;
    p->texts = from->texts;
    TRY(find_quasi(p, values, memory, error));
    TRY(join_columns(p, memory, error));
    TRY(row_buckets_open(&p->rows, &p->both, false, (uint32_t)(from->n_rows / PART_ROWS + 1),
                         n_bytes, beside, memory, error));
    *result = p;
    return deal(p, from, memory, error);
}

/* The two tables of one bucket. */
static kith_status visit_part(const store_pairs *p, uint32_t bucket, store_part_visit visit,
                              void *to, arena *memory, kith_error *error)
{
    kith_table both, data = *p->data, texts = *p->texts;
    TRY(row_buckets_read(&p->rows, bucket, &both, NULL, memory, error));
    data.n_rows = texts.n_rows = both.n_rows;
    data.columns = both.columns;
    texts.columns = both.columns + data.n_columns;
    const store_part part = {&data, &texts};
    return visit(to, &part, error);
}

kith_status store_pairs_visit(const store_pairs *p, store_part_visit visit, void *to, arena *like,
                              kith_error *error)
{
    for (uint32_t i = 0; i < buckets_count(p->rows.buckets); i++) {
        if (buckets_size(p->rows.buckets, i) == 0)
            continue;
        arena *memory = TRY_ALLOC(arena_new_like(like), error);
        const kith_status status = visit_part(p, i, visit, to, memory, error);
        arena_free(memory);
        TRY(status);
    }
    return KITH_OK;
}
