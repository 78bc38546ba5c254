/* Reading the release back, with the codes of the original cells beside it. */
#include <stdlib.h>

#include "core/error.h"
#include "job/store/sql_store_internal.h"
#include "job/store/store_pairs.h"
#include "table/postgres_source.h"

/* What the temporary table of the server has. */
typedef struct staged {
    const sql_store *store;
    row_spill *spill;
    kith_table read;  /* room for a block: all columns of the temporary table */
    kith_table texts; /* the same: those that are released */
    kith_table data;  /* and the rows from which they were made */
    uint32_t **codes; /* [data.n_columns] what the texts of the others mean */
} staged;

static kith_status read_back(staged *t, arena *memory, kith_error *error)
{
    const sql_store *s = t->store;
    const uint32_t n_released = s->columns.count, n_read = s->table.n_columns;
    kith_table_options options = KITH_INIT(kith_table_options);
    kith_column_spec *specs =
        TRY_ALLOC(arena_zalloc(memory, n_released + (size_t)n_read, sizeof *specs), error);
    for (uint32_t i = 0; i < n_released + n_read; i++)
        specs[i].name = i < n_released ? s->columns.names[i] : "code";
    options.columns = specs;
    options.n_columns = n_released + n_read;
    const postgres_spill asked = {.db = s->out,
                                  .select = arena_printf(memory, "SELECT * FROM %s", s->staging),
                                  .options = &options,
                                  .run = s->run,
                                  .phase = "verify",
                                  .beside = SQL_STORE_BESIDE};
    TRY(postgres_source_spill(&t->spill, &asked, memory, error));
    TRY(row_spill_room(t->spill, &t->read, memory, error));
    t->texts = t->read;
    t->texts.n_columns = n_released;
    return table_room(&t->data, &s->table, ROW_SPILL_ROWS, memory, error);
}

static kith_status read_codes(staged *t, arena *memory, kith_error *error)
{
    t->codes = TRY_ALLOC(arena_array(memory, t->data.n_columns, sizeof *t->codes), error);
    for (uint32_t i = 0; i < t->data.n_columns; i++) {
        const dictionary *from = &t->read.columns[t->texts.n_columns + i].values;
        t->codes[i] = TRY_ALLOC(arena_array(memory, from->count, sizeof **t->codes), error);
        for (uint32_t code = 0; code < from->count; code++) {
            t->codes[i][code] = (uint32_t)strtoul(dictionary_text(from, code), NULL, 10);
            if (t->codes[i][code] >= t->data.columns[i].values.count)
                return error_set(error, KITH_BUG, "%s has changed while it was assessed",
                                 t->store->out->shown);
        }
    }
    return KITH_OK;
}

static kith_status read_pair(void *user, uint32_t block, kith_error *error)
{
    staged *t = user;
    TRY(row_spill_block(t->spill, block, &t->read, error));
    t->texts.n_rows = t->data.n_rows = t->read.n_rows;
    for (uint32_t i = 0; i < t->data.n_columns; i++) {
        const uint32_t *from = t->read.columns[t->texts.n_columns + i].codes;
        uint32_t *to = t->data.columns[i].codes;
        for (uint32_t row = 0; row < t->read.n_rows; row++)
            to[row] = from[row] == TABLE_MISSING ? TABLE_MISSING : t->codes[i][from[row]];
    }
    return KITH_OK;
}

static kith_status sort(sql_store *s, kith_error *error)
{
    arena *memory = s->pairs_memory;
    staged *t = TRY_ALLOC(arena_zalloc(memory, 1, sizeof *t), error);
    t->store = s;
    TRY(read_back(t, memory, error));
    TRY(read_codes(t, memory, error));
    const store_pairs_source from = {.n_rows = row_spill_rows(t->spill),
                                     .n_blocks = row_spill_blocks(t->spill),
                                     .data = &t->data,
                                     .texts = &t->texts,
                                     .read = read_pair,
                                     .user = t};
    return store_pairs_make(&s->pairs, &from, s->values, s->buffer_bytes, SQL_STORE_BESIDE, memory,
                            error);
}

kith_status sql_store_parts(void *self, store_part_visit visit, void *to, kith_error *error)
{
    sql_store *s = self;
    if (s->pairs == NULL)
        TRY(sort(s, error));
    return store_pairs_visit(s->pairs, visit, to, s->context->memory, error);
}
