#include "release/release.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"

/* The label of the missing value is empty; as a cell it is missing again. */
static const char *label(const kith_hierarchy *h, uint32_t node)
{
    return h->label[node][0] == '\0' ? NULL : h->label[node];
}

const char *release_range(const kith_hierarchy *h, uint32_t low, uint32_t high, char *scratch)
{
    if (low == high)
        return label(h, low);
    if (low >= h->tree.n_leaves || high >= h->tree.n_leaves || low == h->missing_leaf ||
        high == h->missing_leaf)
        return hierarchy_root_label(h);
    snprintf(scratch, RELEASE_CELL_BYTES, "%s..%s", h->label[low], h->label[high]);
    return scratch;
}

/* A cell that is not generalized is released as it was read, suppressed or not: suppression hides
 * who a row is about, not what it says. */
const char *release_cell(const release *r, uint32_t record, uint32_t column_index, char *scratch)
{
    const release_column *c = &r->columns[column_index];
    ASSERT(record < r->n_rows && column_index < r->n_columns);
    if (!c->generalized) {
        const column *source = &r->table->columns[c->source];
        uint32_t code = source->codes[r->rows[record]];
        return code == TABLE_MISSING ? NULL : dictionary_text(&source->values, code);
    }
    const partition *p = &r->result->partition;
    if (p->class_of[record] == PARTITION_SUPPRESSED)
        return hierarchy_root_label(c->hierarchy);
    ASSERT(p->class_of[record] < p->n_classes && c->attribute < r->n_attributes);
    if (c->means != NULL && c->means[p->class_of[record]] != NULL)
        return c->means[p->class_of[record]];
    uint64_t place = (uint64_t)p->class_of[record] * r->n_attributes + c->attribute;
    if (r->ranges && r->result->low != NULL)
        return release_range(c->hierarchy, r->result->low[place], r->result->high[place], scratch);
    return label(c->hierarchy, p->closure[place]);
}

/* Cells of one row, each with scratch space of its own. */
typedef struct row_buffer {
    const char **cells;
    char *scratch;
} row_buffer;

static kith_status row_buffer_init(row_buffer *b, const release *r, arena *memory,
                                   kith_error *error)
{
    b->cells = arena_array(memory, r->n_columns, sizeof *b->cells);
    b->scratch = arena_array(memory, r->n_columns, RELEASE_CELL_BYTES);
    return b->cells == NULL || b->scratch == NULL ? error_nomem(error) : KITH_OK;
}

/* All cells of a row at once, because a writer takes whole rows. */
static void row_buffer_fill(row_buffer *b, const release *r, uint32_t record)
{
    for (uint32_t c = 0; c < r->n_columns; c++)
        b->cells[c] = release_cell(r, record, c, b->scratch + (size_t)c * RELEASE_CELL_BYTES);
}

/* It hides where a row came from, therefore it must not be reproducible: it never depends on the
 * seed of the run. */
kith_status release_random_order(uint32_t **order, uint32_t count, arena *memory, kith_error *error)
{
    *order = arena_array(memory, count, sizeof **order);
    TRY_ALLOC(*order, error);
    if (sodium_init() < 0)
        return error_set(error, KITH_IO, "the system provides no random numbers");
    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = randombytes_uniform(i + 1);
        (*order)[i] = (*order)[j];
        (*order)[j] = i;
    }
    return KITH_OK;
}

kith_status release_write(const release *r, table_writer *w, arena *memory, const uint32_t *order,
                          kith_error *error)
{
    row_buffer buffer;
    TRY(row_buffer_init(&buffer, r, memory, error));
    for (uint32_t i = 0; i < r->n_rows; i++) {
        row_buffer_fill(&buffer, r, order == NULL ? i : order[i]);
        TRY(table_writer_row(w, buffer.cells, error));
    }
    return KITH_OK;
}

kith_status release_build(const release *r, table_builder *b, arena *memory, kith_error *error)
{
    row_buffer buffer;
    TRY(row_buffer_init(&buffer, r, memory, error));
    for (uint32_t i = 0; i < r->n_rows; i++) {
        row_buffer_fill(&buffer, r, i);
        for (uint32_t c = 0; c < r->n_columns; c++) {
            const char *cell = buffer.cells[c];
            TRY(table_builder_cell(b, c, cell, cell == NULL ? 0 : strlen(cell), error));
        }
        TRY(table_builder_row(b, error));
    }
    return KITH_OK;
}

/* Builds the table as if the release had been written and read again: all columns are strings. */
static kith_status fill_table(const release *r, arena *memory, kith_table **table,
                              kith_error *error)
{
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    kith_column_spec *columns = TRY_ZEROS(columns, scratch, r->n_columns, error);
    table_builder *b;
    for (uint32_t c = 0; c < r->n_columns; c++)
        columns[c].name = r->table->columns[r->columns[c].source].name;
    kith_table_options options = KITH_INIT(kith_table_options);
    TRY(table_builder_new(&b, memory, "release", columns, r->n_columns, &options, error));
    TRY(release_build(r, b, scratch, error));
    return table_builder_finish(b, table, error);
}

kith_status release_table(const release *r, kith_table **table, kith_error *error)
{
    *table = NULL;
    arena *memory = TRY_ALLOC(arena_new(), error);
    const kith_status status = fill_table(r, memory, table, error);
    if (status != KITH_OK) {
        arena_free(memory);
        *table = NULL;
    }
    return status;
}
