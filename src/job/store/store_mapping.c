/* The mapping: block by block of the data, with the rows that were sorted on the disk. */
#include "core/error.h"
#include "job/result/make_release.h"
#include "job/store/store_internal.h"

/* What a mapping needs beside what the rows show. */
typedef struct mapper {
    store *store;
    mapping_file *to;
    buckets *places; /* by blocks of the data: pairs of places in the block and release rows */
    uint32_t next;   /* row of the release */
} mapper;

static kith_status note_places(void *to, const store_part *part, kith_error *error)
{
    mapper *m = to;
    for (uint32_t i = 0; i < part->data->n_rows; i++) {
        const uint32_t row = part->texts->source_rows[i],
                       pair[] = {row % ROW_SPILL_ROWS, m->next++};
        TRY(buckets_add(m->places, row / ROW_SPILL_ROWS, pair, error));
    }
    return KITH_OK;
}

/* The rows of the release that the rows of a block are. */
static kith_status find_places(const mapper *m, uint32_t block, uint32_t *release_row,
                               arena *memory, kith_error *error)
{
    const uint32_t n = m->store->block.n_rows;
    for (uint32_t i = 0; i < n; i++)
        release_row[i] = block * ROW_SPILL_ROWS + i;
    if (m->places == NULL)
        return KITH_OK;
    uint32_t *pairs = TRY_ALLOC(arena_array(memory, n, 2 * sizeof *pairs), error);
    TRY(buckets_read(m->places, block, (uint8_t *)pairs, error));
    for (uint32_t i = 0; i < n; i++)
        release_row[pairs[2 * i]] = pairs[2 * i + 1];
    return KITH_OK;
}

static kith_status map_block(void *to, uint32_t block, context *c, kith_error *error)
{
    mapper *m = to;
    store *s = m->store;
    const uint32_t n = s->block.n_rows;
    search_result rows;
    prepared data;
    release r;
    uint32_t *class_of = TRY_ALLOC(arena_array(c->memory, n, sizeof *class_of), error);
    uint32_t *release_row = TRY_ALLOC(arena_array(c->memory, n, sizeof *release_row), error);
    TRY(prepare_slice(&data, s->study, &s->block, &s->values.whole, c, error));
    TRY(store_shown(s, block, &rows, class_of, c->memory, error));
    TRY(make_release(&r, &data, &rows, c, error));
    TRY(find_places(m, block, release_row, c->memory, error));
    const mapping_records some = {.data = &data,
                                  .release = &r,
                                  .confidential_row = s->block.source_rows,
                                  .release_row = release_row,
                                  .class = class_of};
    return mapping_file_add(m->to, &some, error);
}

kith_status store_map(store *s, mapping_file *to, kith_error *error)
{
    arena *memory = s->shown_memory;
    mapper m = {.store = s, .to = to};
    if (s->sorted != NULL) {
        TRY(buckets_open(&m.places, row_spill_blocks(s->data), 2 * sizeof(uint32_t),
                         s->buffer_bytes, s->beside, memory, error));
        TRY(store_visit_made(s, note_places, &m, error));
    }
    TRY(store_blocks(s, s->data, NULL, map_block, &m, error));
    return mapping_file_finish(to, error);
}
