/* Reading the release back, class by class. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "job/store/class_key.h"
#include "job/store/sql_store_internal.h"
#include "table/postgres_cursor.h"

enum { PART_ROWS = 1 << 17 }; /* a part ends with the class that has this row */

/* A part in the making. */
typedef struct part {
    const sql_store *store;
    arena *memory; /* of this part */
    table_builder *texts;
    kith_table data;
    size_t room;
    class_key key;
    store_part_visit visit;
    void *to;
} part;

static kith_status begin_part(part *p, kith_error *error)
{
    const kith_table_options options = KITH_INIT(kith_table_options);
    const sql_store *s = p->store;
    const uint32_t count = s->columns.count;
    p->memory = TRY_ALLOC(arena_new(), error);
    kith_column_spec *specs = TRY_ALLOC(arena_zalloc(p->memory, count, sizeof *specs), error);
    kith_table_options *own = TRY_ALLOC(arena_alloc(p->memory, sizeof *own), error);
    *own = options;
    for (uint32_t i = 0; i < count; i++)
        specs[i].name = s->columns.names[i];
    TRY(table_builder_new(&p->texts, p->memory, s->out->shown, specs, count, own, error));
    p->data = s->table;
    p->room = 0;
    p->data.columns =
        TRY_ALLOC(arena_array(p->memory, s->table.n_columns, sizeof *p->data.columns), error);
    memcpy(p->data.columns, s->table.columns, s->table.n_columns * sizeof *p->data.columns);
    return KITH_OK;
}

static kith_status end_part(part *p, kith_error *error)
{
    kith_table *texts;
    TRY(table_builder_finish(p->texts, &texts, error));
    const store_part made = {.data = &p->data, .texts = texts};
    TRY(p->visit(p->to, &made, error));
    arena_free(p->memory);
    p->memory = NULL;
    return KITH_OK;
}

static kith_status add_row(part *p, const postgres_cursor *c, kith_error *error)
{
    const sql_store *s = p->store;
    const uint32_t n_released = s->columns.count, row = p->data.n_rows;
    if (row == p->room) {
        const size_t room = arena_capacity(p->room, row + (size_t)1);
        for (uint32_t i = 0; i < p->data.n_columns; i++) {
            column *each = &p->data.columns[i];
            each->codes = TRY_ALLOC(arena_resize_array(p->memory, row == 0 ? NULL : each->codes,
                                                       p->room, room, sizeof *each->codes),
                                    error);
        }
        p->room = room;
    }
    for (uint32_t i = 0; i < n_released; i++) {
        const char *text = postgres_cursor_cell(c, (int)i);
        TRY(table_builder_cell(p->texts, i, text, text == NULL ? 0 : strlen(text), error));
    }
    for (uint32_t i = 0; i < p->data.n_columns; i++) {
        const char *code = postgres_cursor_cell(c, (int)(n_released + i));
        p->data.columns[i].codes[row] =
            code == NULL ? TABLE_MISSING : (uint32_t)strtoul(code, NULL, 10);
    }
    p->data.n_rows++;
    return table_builder_row(p->texts, error);
}

static kith_status read_parts(part *p, postgres_cursor *c, kith_error *error)
{
    bool more = true, other;
    while (true) {
        TRY(postgres_cursor_next(c, &more, error));
        if (!more)
            break;
        TRY(class_key_next(&p->key, c, &other, error));
        if (p->memory != NULL && other && p->data.n_rows >= PART_ROWS)
            TRY(end_part(p, error));
        if (p->memory == NULL)
            TRY(begin_part(p, error));
        TRY(add_row(p, c, error));
    }
    return p->memory == NULL ? KITH_OK : end_part(p, error);
}

/* By what the classes show, so that the rows of a class come together. */
static const char *select_rows(const sql_store *s, arena *memory)
{
    const char *order = "";
    for (uint32_t i = 0; i < s->columns.count && order != NULL; i++)
        if (s->columns.whole[i] == NULL)
            order = arena_printf(memory, "%s%sc%u COLLATE \"C\"", order,
                                 order[0] == '\0' ? " ORDER BY " : ", ", i);
    return order == NULL ? NULL : arena_printf(memory, "SELECT * FROM %s%s", s->staging, order);
}

static kith_status key_of(class_key *key, const sql_store *s, kith_error *error)
{
    uint32_t *columns =
        TRY_ALLOC(arena_array(s->context->memory, s->columns.count, sizeof *columns), error);
    *key = (class_key){.columns = columns};
    for (uint32_t i = 0; i < s->columns.count; i++)
        if (s->columns.whole[i] == NULL)
            columns[key->n_columns++] = i;
    return KITH_OK;
}

kith_status sql_store_parts(void *self, store_part_visit visit, void *to, kith_error *error)
{
    const sql_store *s = self;
    part p = {.store = s, .visit = visit, .to = to};
    postgres_cursor c;
    TRY(key_of(&p.key, s, error));
    TRY(postgres_cursor_open(&c, s->out, select_rows(s, s->context->memory), error));
    kith_status status = read_parts(&p, &c, error);
    postgres_cursor_close(&c);
    arena_free(p.memory);
    class_key_free(&p.key);
    return status;
}
