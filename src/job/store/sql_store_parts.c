/* Reading the release back, class by class. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
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
    char *key; /* of the last row: what its class shows */
    size_t key_length, key_room;
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

/* Adds one text to the key, which begins anew with the first one. */
static kith_status extend_key(char **key, size_t *length, size_t *room, const char *text,
                              kith_error *error)
{
    const size_t more = text == NULL ? 1 : strlen(text) + 2;
    if (*length + more > *room) {
        char *wider = TRY_ALLOC(realloc(*key, 2 * (*length + more)), error);
        *key = wider;
        *room = 2 * (*length + more);
    }
    (*key)[(*length)++] = text == NULL ? 'n' : 't';
    if (text != NULL) {
        memcpy(*key + *length, text, more - 1);
        *length += more - 1;
    }
    return KITH_OK;
}

/* Makes the key of the present row the last one, and tells whether it is another one. */
static kith_status next_key(part *p, const postgres_cursor *c, bool *other, kith_error *error)
{
    const sql_store *s = p->store;
    const size_t before = p->key_length;
    for (uint32_t i = 0; i < s->columns.count; i++)
        if (s->columns.whole[i] == NULL)
            TRY(extend_key(&p->key, &p->key_length, &p->key_room, postgres_cursor_cell(c, (int)i),
                           error));
    const size_t length = p->key_length - before;
    *other = length != before || (length > 0 && memcmp(p->key, p->key + before, length) != 0);
    if (before > 0)
        memmove(p->key, p->key + before, length);
    p->key_length = length;
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
        TRY(next_key(p, c, &other, error));
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
    return order == NULL ? NULL : arena_printf(memory, "SELECT * FROM kith_release%s", order);
}

kith_status sql_store_parts(void *self, store_part_visit visit, void *to, kith_error *error)
{
    const sql_store *s = self;
    part p = {.store = s, .visit = visit, .to = to};
    postgres_cursor c;
    TRY(postgres_cursor_open(&c, s->out, select_rows(s, s->context->memory), error));
    kith_status status = read_parts(&p, &c, error);
    postgres_cursor_close(&c);
    arena_free(p.memory);
    free(p.key);
    return status;
}
