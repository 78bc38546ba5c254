#include "job/store/store_pairs.h"

#include <sodium.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/rng.h"
#include "core/sort.h"
#include "job/store/row_buckets.h"
#include "table/rows/row_splitters.h"
#include "table/rows/table_order.h"

enum { PART_ROWS = 1 << 17 }; /* of a part, on average */

struct store_pairs {
    arena *memory;
    const kith_table *data; /* columns and dictionaries, as */
    row_spill *release;     /* that of the texts */
    store_pairs_order order;
    kith_table both;          /* some rows: the columns of the data, then of the texts, then, if */
    bool numbered;            /* they are numbered, that of their numbers */
    uint32_t n_quasi, *quasi; /* by class: columns of the texts that show quasi-identifiers */
    row_splitters *splitters; /* by cells: where parts begin */
    unsigned char *key;       /* by chance: what the choices come from */
    rng chance;        /* the parts of rows; stream i + 1 of the key has the order of part i */
    uint32_t *part_of; /* [part_room] of the rows that are being added */
    uint32_t *numbers; /* [part_room] */
    uint32_t n_added;
    size_t part_room;
    row_buckets rows;
};

static kith_status find_quasi(store_pairs *p, const kith_study *study, kith_error *error)
{
    p->quasi = TRY_ALLOC(arena_array(p->memory, study->n_columns, sizeof *p->quasi), error);
    for (uint32_t i = 0; i < study->n_columns; i++) {
        const study_column *c = &study->columns[i];
        if (c->role != ROLE_QUASI_IDENTIFYING)
            continue;
        const uint32_t at = table_find(row_spill_table(p->release), c->name);
        if (at == UINT32_MAX)
            return error_set(error, KITH_BUG, "the release has no column %s", c->name);
        p->quasi[p->n_quasi++] = at;
    }
    return KITH_OK;
}

static void forget_key(void *object)
{
    store_pairs *p = object;
    sodium_memzero(p->key, RNG_KEY_BYTES);
    rng_wipe(&p->chance);
}

static kith_status draw_key(store_pairs *p, kith_error *error)
{
    if (sodium_init() < 0)
        return error_set(error, KITH_IO, "the system provides no random numbers");
    p->key = TRY_ALLOC(arena_alloc(p->memory, RNG_KEY_BYTES), error);
    randombytes_buf(p->key, RNG_KEY_BYTES);
    rng_init_key(&p->chance, p->key, 0);
    return arena_defer(p->memory, forget_key, p) ? KITH_OK : error_nomem(error);
}

kith_status store_pairs_open(store_pairs **result, const store *s, const kith_table *data,
                             row_spill *texts, store_pairs_order order, arena *memory,
                             kith_error *error)
{
    store_pairs *p = TRY_ALLOC(arena_zalloc(memory, 1, sizeof *p), error);
    *result = p;
    *p = (store_pairs){
        .memory = memory, .data = data, .release = texts, .order = order, .numbered = s->numbered};
    const uint64_t n_rows = row_spill_rows(texts);
    const uint32_t n_parts = (uint32_t)(n_rows / PART_ROWS + 1);
    TRY(store_columns(&p->both, p->data, row_spill_table(texts), n_rows, memory, error));
    p->both.n_columns -= !p->numbered;
    TRY(row_buckets_open(&p->rows, &p->both, n_parts, s->buffer_bytes, s->beside, memory, error));
    switch (order) {
    case STORE_BY_CLASS: return find_quasi(p, s->study, error);
    case STORE_BY_CELLS: return row_splitters_find(&p->splitters, texts, n_parts, memory, error);
    default: return draw_key(p, error);
    }
}

/* The same for rows that are equal in the quasi-identifiers; spread evenly. */
static uint32_t class_part(const store_pairs *p, const kith_table *texts, uint32_t row)
{
    uint64_t hash = 0;
    for (uint32_t j = 0; j < p->n_quasi; j++) {
        hash = (hash ^ texts->columns[p->quasi[j]].codes[row]) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return (uint32_t)(hash % buckets_count(p->rows.buckets));
}

static uint32_t part_of(store_pairs *p, const kith_table *texts, uint32_t row)
{
    switch (p->order) {
    case STORE_BY_CLASS: return class_part(p, texts, row);
    case STORE_BY_CELLS: return row_splitters_part(p->splitters, texts, row);
    default: return rng_below(&p->chance, buckets_count(p->rows.buckets));
    }
}

kith_status store_pairs_add(store_pairs *p, const kith_table *data, const kith_table *texts,
                            kith_error *error)
{
    const uint32_t n = texts->n_rows, n_data = data->n_columns, n_both = n_data + texts->n_columns;
    size_t room = p->part_room;
    TRY_GROW(p->numbers, room, n, p->memory, error);
    TRY_GROW(p->part_of, p->part_room, n, p->memory, error);
    for (uint32_t row = 0; row < n; row++) {
        p->part_of[row] = part_of(p, texts, row);
        p->numbers[row] = texts->source_rows == NULL ? p->n_added++ : texts->source_rows[row];
    }
    for (uint32_t i = 0; i < p->both.n_columns; i++)
        p->both.columns[i].codes = i < n_data   ? data->columns[i].codes
                                   : i < n_both ? texts->columns[i - n_data].codes
                                                : p->numbers;
    p->both.n_rows = n;
    return row_buckets_distribute(&p->rows, &p->both, p->part_of, error);
}

/* A row, and where it stands in the data. */
typedef struct numbered {
    uint32_t number, row;
} numbered;

/* In the order of the data, in which a release in memory is judged. */
static kith_status order_by_number(uint32_t *order, const uint32_t *number, uint32_t n,
                                   arena *memory, kith_error *error)
{
    numbered *list = TRY_ALLOC(arena_array(memory, n, sizeof *list), error);
    for (uint32_t i = 0; i < n; i++)
        list[i] = (numbered){number[i], i};
    qsort(list, n, sizeof *list, sort_uint32);
    for (uint32_t i = 0; i < n; i++)
        order[i] = list[i].row;
    return KITH_OK;
}

/* Puts the rows of a part into their order; those of classes need none unless they are numbered. */
static kith_status order_part(const store_pairs *p, uint32_t number, kith_table *both,
                              const kith_table *texts, arena *memory, kith_error *error)
{
    uint32_t *order;
    rng chance;
    if (p->order == STORE_BY_CELLS) {
        TRY(table_order_by_cells(&order, texts, memory, error));
        return table_order_apply(both, order, error);
    }
    if (p->order == STORE_BY_CLASS && !p->numbered)
        return KITH_OK;
    order = TRY_ALLOC(arena_array(memory, both->n_rows, sizeof *order), error);
    if (p->order == STORE_BY_CLASS) {
        TRY(order_by_number(order, both->columns[both->n_columns - 1].codes, both->n_rows, memory,
                            error));
        return table_order_apply(both, order, error);
    }
    for (uint32_t i = 0; i < both->n_rows; i++)
        order[i] = i;
    rng_init_key(&chance, p->key, (uint64_t)number + 1);
    rng_shuffle(&chance, order, both->n_rows);
    rng_wipe(&chance);
    return table_order_apply(both, order, error);
}

/* The two tables of one part. */
static kith_status visit_part(const store_pairs *p, uint32_t number, store_part_visit visit,
                              void *to, arena *like, kith_error *error)
{
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(like), error);
    kith_table both, data = *p->data, texts = *row_spill_table(p->release);
    TRY(row_buckets_read(&p->rows, number, &both, memory, error));
    data.n_rows = texts.n_rows = both.n_rows;
    data.columns = both.columns;
    texts.columns = both.columns + data.n_columns;
    TRY(order_part(p, number, &both, &texts, memory, error));
    if (p->numbered)
        texts.source_rows = both.columns[both.n_columns - 1].codes;
    const store_part part = {&data, &texts, row_spill_counts(p->release)};
    return visit(to, &part, error);
}

kith_status store_pairs_visit(const store_pairs *p, store_part_visit visit, void *to, arena *like,
                              kith_error *error)
{
    for (uint32_t i = 0; i < buckets_count(p->rows.buckets); i++)
        if (buckets_size(p->rows.buckets, i) > 0)
            TRY(visit_part(p, i, visit, to, like, error));
    return KITH_OK;
}
