/* From pieces back to the order of the rows: what classes show is sorted by blocks of the data, and
 * the release is written block by block. */
#include <string.h>

#include "core/error.h"
#include "job/prepare/recode.h"
#include "job/result/make_release.h"
#include "job/store/store_internal.h"

static kith_status open_shown(store *s, kith_error *error)
{
    const problem *p = &s->values.prepared.problem;
    uint32_t *max = TRY_ARRAY(max, s->shown_memory, p->n_attributes + (size_t)2, error);
    for (uint32_t j = 0; j < p->n_attributes; j++)
        max[j] = p->attributes[j].tree->n_nodes - 1;
    max[p->n_attributes] = ROW_SPILL_ROWS - 1;
    max[p->n_attributes + 1] = (uint32_t)row_spill_rows(s->data);
    TRY(row_bytes_init(&s->shown_form, max, p->n_attributes + 1 + s->rule.numbered, s->shown_memory,
                       error));
    return buckets_open(&s->shown, row_spill_blocks(s->data), s->shown_form.n_bytes,
                        s->buffer_bytes, s->beside, s->shown_memory, error);
}

kith_status store_put(store *s, const partition *found, kith_error *error)
{
    const uint32_t n = s->values.prepared.problem.n_attributes;
    if (s->shown == NULL)
        TRY(open_shown(s, error));
    uint32_t *cells = TRY_ALLOC(arena_array(s->shown_memory, n + (size_t)2, sizeof *cells), error);
    uint8_t *record = TRY_ALLOC(arena_alloc(s->shown_memory, s->shown_form.n_bytes), error);
    for (uint32_t i = 0; i < s->fetched->n_rows; i++) {
        const uint32_t row = s->fetched->source_rows[i], class = found->class_of[i];
        memcpy(cells, found->closure + (size_t) class * n, n * sizeof *cells);
        cells[n] = row % ROW_SPILL_ROWS;
        cells[n + 1] = s->n_classes + class;
        row_bytes_put(&s->shown_form, record, cells);
        TRY(buckets_add(s->shown, row / ROW_SPILL_ROWS, record, error));
    }
    s->n_classes += found->n_classes;
    return KITH_OK;
}

/* Classes of pieces are numbered by their first rows, as those of a table in memory. */
static kith_status store_release_number_classes(store *s, uint32_t *class_of, uint32_t n,
                                                kith_error *error)
{
    if (s->class_number == NULL) {
        const size_t n_bytes = s->n_classes * sizeof(uint32_t);
        s->class_number = TRY_ALLOC(arena_alloc(s->shown_memory, n_bytes), error);
        memset(s->class_number, 0xff, n_bytes);
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t *number = &s->class_number[class_of[i]];
        if (*number == UINT32_MAX)
            *number = s->n_numbered++;
        class_of[i] = *number;
    }
    return KITH_OK;
}

/* What classes of pieces show. Every row is a class of its own, since others of its class may be in
 * other blocks. */
static kith_status read_shown(store *s, uint32_t block, partition *rows, uint32_t *class_of,
                              arena *memory, kith_error *error)
{
    const uint32_t n = (uint32_t)buckets_size(s->shown, block), n_bytes = s->shown_form.n_bytes;
    const uint32_t n_attributes = s->values.prepared.problem.n_attributes;
    uint8_t *bytes = TRY_ALLOC(arena_array(memory, n, n_bytes), error);
    uint32_t *cells = TRY_ALLOC(arena_array(memory, s->shown_form.n_cells, sizeof *cells), error);
    if (n != s->block.n_rows)
        return error_set(error, KITH_BUG, "%u of %u rows have a class; nothing is written", n,
                         s->block.n_rows);
    *rows = (partition){.n_classes = n};
    rows->class_of = TRY_ALLOC(arena_array(memory, n, sizeof *rows->class_of), error);
    rows->closure = TRY_ALLOC(arena_array(memory, n, n_attributes * sizeof(uint32_t)), error);
    TRY(buckets_read(s->shown, block, bytes, error));
    for (uint32_t i = 0; i < n; i++) {
        row_bytes_get(&s->shown_form, cells, bytes + (size_t)i * n_bytes);
        const uint32_t place = cells[n_attributes];
        memcpy(rows->closure + (size_t)place * n_attributes, cells, n_attributes * sizeof *cells);
        rows->class_of[i] = i;
        if (class_of != NULL)
            class_of[place] = cells[n_attributes + 1];
    }
    return class_of == NULL ? KITH_OK : store_release_number_classes(s, class_of, n, error);
}

kith_status store_shown(store *s, uint32_t block, search_result *rows, uint32_t *class_of,
                        arena *memory, kith_error *error)
{
    record_block records;
    *rows = (search_result){.interrupted = false};
    if (s->show == NULL)
        return read_shown(s, block, &rows->partition, class_of, memory, error);
    TRY(store_values_block(&s->values, &s->block, &records, s->context->memory, error));
    TRY(s->show(s->show_user, rows, &records, block * ROW_SPILL_ROWS, memory, error));
    if (class_of != NULL)
        memcpy(class_of, rows->partition.class_of, records.n * sizeof *class_of);
    return KITH_OK;
}

/* To the builder of the release. */
typedef struct shower {
    store *store;
    table_builder *to;
} shower;

static kith_status show_block(void *to, uint32_t number, context *c, kith_error *error)
{
    const shower *w = to;
    store *s = w->store;
    search_result rows;
    release r;
    const uint32_t n = s->block.n_rows;
    uint32_t *own = TRY_ALLOC(arena_array(c->memory, n, sizeof *own), error);
    for (uint32_t i = 0; i < n; i++)
        own[i] = i;
    TRY(store_shown(s, number, &rows, NULL, c->memory, error));
    TRY(make_release(&r, &s->values.prepared, &rows, c, error));
    r.n_rows = n;
    r.rows = own;
    TRY(recode_table(&r.table, s->study, &s->block, c->memory, error));
    TRY(release_build(&r, w->to, c->memory, error));
    return row_spill_take(s->made, w->to, false, error);
}

/* The release as texts, in the order of the data. */
static kith_status show_rows(store *s, kith_error *error)
{
    static const row_spill_rule all = {.needed = NULL};
    const kith_table_options options = KITH_INIT(kith_table_options);
    const uint32_t n_columns = s->values.prepared.n_columns;
    arena *memory = s->context->memory;
    shower w = {.store = s};
    kith_table *table;
    kith_column_spec *specs = TRY_ALLOC(arena_zalloc(memory, n_columns, sizeof *specs), error);
    for (uint32_t i = 0; i < n_columns; i++)
        specs[i].name = s->values.prepared.columns[i].study->name;
    TRY(table_builder_new(&w.to, memory, "release", specs, n_columns, &options, error));
    TRY(row_spill_new(&s->made, &all, s->beside, memory, error));
    TRY(store_blocks(s, s->data, NULL, show_block, &w, error));
    TRY(row_spill_finish(s->made, w.to, &table, error));
    s->release = s->made;
    return row_spill_room(s->made, &s->texts, memory, error);
}

kith_status store_make(store *s, store_show show, void *user, kith_error *error)
{
    s->show = show;
    s->show_user = user;
    arena_free(s->pieces_memory);
    s->pieces_memory = NULL;
    TRY(show_rows(s, error));
    if (!s->rule.numbered) {
        arena_free(s->shown_memory);
        s->shown_memory = NULL;
    }
    return s->options->keep_order ? KITH_OK : store_sort(s, error);
}

static kith_status store_release_write_part(void *to, const store_part *part, kith_error *error)
{
    const store *s = to;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(s->context->memory), error);
    return table_writer_rows(s->out->release, part->texts, memory, error);
}

kith_status store_write(store *s, kith_error *error)
{
    TRY(store_visit_made(s, store_release_write_part, s, error));
    return table_writer_finish(s->out->release, error);
}
