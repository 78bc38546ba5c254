/* Reading the rows of a table: combinations of values with their numbers, and pieces. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "job/store/sql_store_internal.h"
#include "table/postgres_cursor.h"

enum { BLOCK_ROWS = 1 << 16 };

/* Texts of one value follow each other. */
static uint32_t find_text(const dictionary *whole, const char *format, const char *text)
{
    uint32_t code = dictionary_find(whole, format, text);
    while (code < whole->count && strcmp(dictionary_text(whole, code), text) != 0)
        code++;
    return code < whole->count ? code : TABLE_MISSING;
}

kith_status sql_store_recode(const sql_store *s, uint32_t *codes, const column *part,
                             uint32_t n_rows, uint32_t to, kith_error *error)
{
    const dictionary *whole = &s->table.columns[to].values;
    arena *scratch = TRY_ALLOC(arena_new(), error);
    uint32_t *place = arena_array(scratch, part->values.count + (size_t)1, sizeof *place);
    kith_status status = place == NULL ? error_nomem(error) : KITH_OK;
    for (uint32_t i = 0; status == KITH_OK && i < part->values.count; i++) {
        place[i] = find_text(whole, s->specs[to].date_format, dictionary_text(&part->values, i));
        if (place[i] == TABLE_MISSING)
            status =
                error_set(error, KITH_DATA, "%s has changed while it was read", s->data->shown);
    }
    for (uint32_t row = 0; status == KITH_OK && row < n_rows; row++)
        codes[row] = part->codes[row] == TABLE_MISSING ? TABLE_MISSING : place[part->codes[row]];
    arena_free(scratch);
    return status;
}

/* What a scan reads: the columns that models and hierarchies look at. */
typedef struct scanner {
    sql_store *store;
    uint32_t n;
    uint32_t *which;         /* [n] columns of the store's table */
    kith_column_spec *specs; /* [n] */
    kith_table block;        /* with the codes of the store's table */
    uint32_t *weight;        /* [BLOCK_ROWS] */
    postgres_cursor cursor;
} scanner;

static kith_status make_scanner(scanner *k, sql_store *s, arena *memory, kith_error *error)
{
    const uint32_t count = s->table.n_columns;
    *k = (scanner){.store = s, .block = s->table};
    k->which = TRY_ALLOC(arena_array(memory, count, sizeof *k->which), error);
    k->specs = TRY_ALLOC(arena_array(memory, count, sizeof *k->specs), error);
    k->weight = TRY_ALLOC(arena_array(memory, BLOCK_ROWS, sizeof *k->weight), error);
    k->block.columns = TRY_ALLOC(arena_array(memory, count, sizeof *k->block.columns), error);
    for (uint32_t i = 0; i < count; i++) {
        column *c = &k->block.columns[i];
        *c = s->table.columns[i];
        c->codes = TRY_ALLOC(arena_array(memory, BLOCK_ROWS, sizeof *c->codes), error);
        memset(c->codes, 0xff, BLOCK_ROWS * sizeof *c->codes); /* missing */
        for (uint32_t j = 0; j < s->study->n_columns; j++) {
            const study_column *asked = &s->study->columns[j];
            if (strcmp(asked->name, c->name) == 0 &&
                (asked->role == ROLE_QUASI_IDENTIFYING || asked->role == ROLE_SENSITIVE)) {
                k->specs[k->n] = s->specs[i];
                k->which[k->n++] = i;
            }
        }
    }
    return KITH_OK;
}

/* Fills the builder with the next rows of the cursor; *count of them, less than a block at the
 * end. */
static kith_status read_rows(scanner *k, table_builder *b, uint32_t *count, kith_error *error)
{
    bool more = true;
    for (*count = 0; *count < BLOCK_ROWS;) {
        TRY(postgres_cursor_next(&k->cursor, &more, error));
        if (!more)
            return KITH_OK;
        for (uint32_t i = 0; i < k->n; i++) {
            const char *cell = postgres_cursor_cell(&k->cursor, (int)i);
            TRY(table_builder_cell(b, i, cell, cell == NULL ? 0 : strlen(cell), error));
        }
        k->weight[(*count)++] =
            (uint32_t)strtoul(postgres_cursor_cell(&k->cursor, (int)k->n), NULL, 10);
        TRY(table_builder_row(b, error));
    }
    return KITH_OK;
}

static kith_status read_block(scanner *k, arena *memory, kith_error *error)
{
    const postgres_table *t = k->store->data;
    table_builder *b;
    kith_table *part;
    TRY(table_builder_new(&b, memory, t->shown, k->specs, k->n, &t->options, error));
    TRY(read_rows(k, b, &k->block.n_rows, error));
    TRY(table_builder_finish(b, &part, error));
    for (uint32_t i = 0; i < k->n; i++)
        TRY(sql_store_recode(k->store, k->block.columns[k->which[i]].codes, &part->columns[i],
                             part->n_rows, k->which[i], error));
    return KITH_OK;
}

static kith_status scan_blocks(scanner *k, store_visit visit, void *to, kith_error *error)
{
    do {
        arena *memory = TRY_ALLOC(arena_new(), error);
        kith_status status = read_block(k, memory, error);
        arena_free(memory);
        TRY(status);
        const store_block block = {.rows = &k->block, .weight = k->weight};
        if (k->block.n_rows > 0)
            TRY(visit(to, &block, error));
    } while (k->block.n_rows == BLOCK_ROWS);
    return KITH_OK;
}

kith_status sql_store_scan(void *self, store_visit visit, void *to, kith_error *error)
{
    sql_store *s = self;
    scanner k;
    arena *memory = TRY_ALLOC(arena_new(), error);
    kith_status status = make_scanner(&k, s, memory, error);
    uint32_t *at = status == KITH_OK ? arena_array(memory, k.n, sizeof *at) : NULL;
    for (uint32_t i = 0; at != NULL && i < k.n; i++)
        at[i] = s->at[k.which[i]];
    if (status == KITH_OK)
        status = postgres_cursor_open(
            &k.cursor, s->data->db,
            at == NULL ? NULL : postgres_table_groups(s->data, at, k.n, s->kept, memory), error);
    if (status == KITH_OK) {
        status = scan_blocks(&k, visit, to, error);
        postgres_cursor_close(&k.cursor);
    }
    arena_free(memory);
    return status;
}

/* The rows of a piece as a table with dictionaries of its own, in the order of the whole table. */
static kith_status select_piece(kith_table **part, const sql_store *s, uint32_t piece,
                                arena *memory, kith_error *error)
{
    const postgres_table *t = s->data;
    const char *where, *list = "";
    TRY(sql_store_where(&where, s, piece, memory, error));
    for (uint32_t i = 0; i < s->table.n_columns; i++)
        list = TRY_ALLOC(
            arena_printf(memory, "%s%s%s", list, i == 0 ? "" : ", ", t->columns[s->at[i]].quoted),
            error);
    const char *order = t->by_key ? arena_printf(memory, " ORDER BY %s", t->order)
                                  : postgres_order_by(t->db, memory, s->specs, s->table.n_columns);
    TRY_ALLOC(order, error);
    return postgres_table_select(
        part, t, arena_printf(memory, "SELECT %s FROM %s%s%s", list, t->from, where, order),
        s->specs, s->table.n_columns, error);
}

/* Leaves the rows of other pieces out: conditions of values that are no leaves are loose. */
static kith_status keep_piece(const sql_store *s, uint32_t piece, kith_table *rows, arena *memory,
                              kith_error *error)
{
    const store_block block = {.rows = rows};
    uint32_t kept = 0;
    uint32_t *pieces = TRY_ALLOC(arena_array(memory, rows->n_rows, sizeof *pieces), error);
    TRY(s->pieces.of(s->pieces.user, &block, pieces, error));
    for (uint32_t row = 0; row < rows->n_rows; row++) {
        if (pieces[row] != piece)
            continue;
        for (uint32_t i = 0; i < rows->n_columns; i++)
            rows->columns[i].codes[kept] = rows->columns[i].codes[row];
        kept++;
    }
    rows->n_rows = kept;
    return KITH_OK;
}

static kith_status recode_piece(const sql_store *s, const kith_table *part, kith_table *rows,
                                arena *memory, kith_error *error)
{
    *rows = s->table;
    rows->memory = memory;
    rows->n_rows = part->n_rows;
    rows->columns =
        TRY_ALLOC(arena_array(memory, s->table.n_columns, sizeof *rows->columns), error);
    for (uint32_t i = 0; i < rows->n_columns; i++) {
        rows->columns[i] = s->table.columns[i];
        rows->columns[i].codes =
            TRY_ALLOC(arena_array(memory, part->n_rows, sizeof(uint32_t)), error);
        TRY(sql_store_recode(s, rows->columns[i].codes, &part->columns[i], part->n_rows, i, error));
    }
    return KITH_OK;
}

kith_status sql_store_fetch(void *self, uint32_t piece, kith_table *rows, arena *memory,
                            kith_error *error)
{
    sql_store *s = self;
    kith_table *part;
    TRY(select_piece(&part, s, piece, memory, error));
    kith_status status = recode_piece(s, part, rows, memory, error);
    kith_table_free(part);
    TRY(status);
    TRY(keep_piece(s, piece, rows, memory, error));
    s->fetched = *rows;
    return KITH_OK;
}
