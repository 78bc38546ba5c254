/* From pieces back to the order of the rows: what classes show is sorted by blocks of the data, and
 * the release is written block by block. */
#include <string.h>

#include "core/error.h"
#include "job/prepare/recode.h"
#include "job/result/make_release.h"
#include "job/store/file_store_internal.h"

static kith_status open_shown(file_store *f, kith_error *error)
{
    const problem *p = &f->values->problem;
    uint32_t *max =
        TRY_ALLOC(arena_array(f->shown_memory, p->n_attributes + (size_t)1, sizeof *max), error);
    for (uint32_t j = 0; j < p->n_attributes; j++)
        max[j] = p->attributes[j].tree->n_nodes - 1;
    max[p->n_attributes] = ROW_SPILL_ROWS - 1;
    TRY(packed_rows_init(&f->shown_form, max, p->n_attributes + 1, f->shown_memory, error));
    return buckets_open(&f->shown, row_spill_blocks(f->data), f->shown_form.n_bytes,
                        f->buffer_bytes, f->options->output, f->shown_memory, error);
}

kith_status file_store_put(void *self, uint32_t piece, const release *r, kith_error *error)
{
    file_store *f = self;
    const partition *found = &r->result->partition;
    if (f->shown == NULL)
        TRY(open_shown(f, error));
    uint32_t *cells =
        TRY_ALLOC(arena_array(f->shown_memory, f->shown_form.n_cells, sizeof *cells), error);
    uint8_t *record = TRY_ALLOC(arena_alloc(f->shown_memory, f->shown_form.n_bytes), error);
    for (uint32_t i = 0; i < r->n_rows; i++) {
        const uint32_t row = f->places[r->rows[i]];
        memcpy(cells, found->closure + (size_t)found->class_of[i] * r->n_attributes,
               r->n_attributes * sizeof *cells);
        cells[r->n_attributes] = row % ROW_SPILL_ROWS;
        packed_rows_put(&f->shown_form, record, cells);
        TRY(buckets_add(f->shown, row / ROW_SPILL_ROWS, record, error));
    }
    f->places = NULL;
    (void)piece;
    return KITH_OK;
}

/* The nodes that the rows of a block show, row by row. */
static kith_status read_shown(const file_store *f, uint32_t block, uint32_t *closure, arena *memory,
                              kith_error *error)
{
    const uint32_t n = (uint32_t)buckets_size(f->shown, block), n_bytes = f->shown_form.n_bytes;
    const uint32_t n_attributes = f->shown_form.n_cells - 1;
    uint8_t *bytes = TRY_ALLOC(arena_array(memory, n, n_bytes), error);
    uint32_t *cells =
        TRY_ALLOC(arena_array(memory, n_attributes + (size_t)1, sizeof *cells), error);
    if (n != f->block.n_rows)
        return error_set(error, KITH_BUG, "%u of %u rows have a class; nothing is written", n,
                         f->block.n_rows);
    TRY(buckets_read(f->shown, block, bytes, error));
    for (uint32_t i = 0; i < n; i++) {
        packed_rows_get(&f->shown_form, cells, bytes + (size_t)i * n_bytes);
        memcpy(closure + (size_t)cells[n_attributes] * n_attributes, cells,
               n_attributes * sizeof *cells);
    }
    return KITH_OK;
}

/* Every row is a class of its own here: which rows share one no longer matters. */
static kith_status write_block(file_store *f, uint32_t number, context *c, kith_error *error)
{
    search_result rows = {.interrupted = false};
    release r;
    const uint32_t n = f->block.n_rows, n_attributes = f->values->problem.n_attributes;
    uint32_t *own = TRY_ALLOC(arena_array(c->memory, n, sizeof *own), error);
    for (uint32_t i = 0; i < n; i++)
        own[i] = i;
    rows.partition = (partition){.n_classes = n, .class_of = own};
    rows.partition.closure =
        TRY_ALLOC(arena_array(c->memory, n, n_attributes * sizeof(uint32_t)), error);
    TRY(read_shown(f, number, rows.partition.closure, c->memory, error));
    TRY(make_release(&r, f->values, &rows, c, error));
    r.n_rows = n;
    r.rows = own;
    TRY(recode_table(&r.table, f->study, &f->block, c->memory, error));
    return release_write(&r, f->publication.release, c->memory, NULL, error);
}

kith_status file_store_finish(void *self, kith_error *error)
{
    file_store *f = self;
    arena_free(f->pieces_memory);
    f->pieces_memory = NULL;
    for (uint32_t i = 0; i < row_spill_blocks(f->data); i++) {
        context own = *f->context;
        TRY(row_spill_block(f->data, i, &f->block, error));
        own.memory = TRY_ALLOC(arena_new_like(f->context->memory), error);
        const kith_status status = write_block(f, i, &own, error);
        arena_free(own.memory);
        TRY(status);
    }
    arena_free(f->shown_memory);
    f->shown_memory = NULL;
    return table_writer_finish(f->publication.release, error);
}
