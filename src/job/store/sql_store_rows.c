/* Reading the rows of a table: combinations of values with their numbers, and all rows in their
 * order. Each is asked for once, and kept in a temporary file. */
#include <string.h>

#include "core/error.h"
#include "job/store/sql_store_internal.h"
#include "table/postgres_source.h"

/* Texts of one value follow each other. */
static uint32_t find_text(const dictionary *whole, const char *format, const char *text)
{
    uint32_t code = dictionary_find(whole, format, text);
    while (code < whole->count && strcmp(dictionary_text(whole, code), text) != 0)
        code++;
    return code < whole->count ? code : TABLE_MISSING;
}

static kith_status map_column(uint32_t **map, const sql_store *s, uint32_t to,
                              const dictionary *from, arena *memory, kith_error *error)
{
    *map = TRY_ALLOC(arena_array(memory, from->count, sizeof **map), error);
    for (uint32_t code = 0; code < from->count; code++) {
        (*map)[code] = find_text(&s->table.columns[to].values, s->specs[to].date_format,
                                 dictionary_text(from, code));
        if ((*map)[code] == TABLE_MISSING)
            return error_set(error, KITH_DATA, "%s has changed while it was read", s->data->shown);
    }
    return KITH_OK;
}

/* Asks for these columns of the store's table; `extra` further ones are behind them. */
static kith_status read_rows(sql_rows *r, const sql_store *s, const char *select, uint32_t extra,
                             arena *memory, kith_error *error)
{
    kith_table_options options = s->data->options;
    kith_column_spec *specs =
        TRY_ALLOC(arena_zalloc(memory, r->n_columns + (size_t)extra, sizeof *specs), error);
    for (uint32_t i = 0; i < r->n_columns; i++)
        specs[i] = s->specs[r->which[i]];
    for (uint32_t i = 0; i < extra; i++)
        specs[r->n_columns + i].name = "count";
    options.columns = specs;
    options.n_columns = r->n_columns + extra;
    const postgres_spill asked = {.db = s->data->db,
                                  .select = select,
                                  .options = &options,
                                  .run = s->context->run,
                                  .phase = "divide",
                                  .beside = SQL_STORE_BESIDE};
    TRY(postgres_source_spill(&r->spill, &asked, memory, error));
    TRY(row_spill_room(r->spill, &r->read, memory, error));
    TRY(table_room(&r->block, &s->table, ROW_SPILL_ROWS, memory, error));
    r->map = TRY_ALLOC(arena_array(memory, r->n_columns, sizeof *r->map), error);
    for (uint32_t i = 0; i < s->table.n_columns; i++)
        memset(r->block.columns[i].codes, 0xff, ROW_SPILL_ROWS * sizeof(uint32_t)); /* missing */
    for (uint32_t i = 0; i < r->n_columns; i++)
        TRY(map_column(&r->map[i], s, r->which[i], &r->read.columns[i].values, memory, error));
    return KITH_OK;
}

static kith_status read_block(sql_rows *r, uint32_t number, kith_error *error)
{
    TRY(row_spill_block(r->spill, number, &r->read, error));
    r->block.n_rows = r->read.n_rows;
    for (uint32_t i = 0; i < r->n_columns; i++) {
        const uint32_t *from = r->read.columns[i].codes, *map = r->map[i];
        uint32_t *to = r->block.columns[r->which[i]].codes;
        for (uint32_t row = 0; row < r->read.n_rows; row++)
            to[row] = from[row] == TABLE_MISSING ? TABLE_MISSING : map[from[row]];
    }
    for (uint32_t row = 0; r->weight != NULL && row < r->read.n_rows; row++)
        r->weight[row] = (uint32_t)postgres_table_number(&r->read.columns[r->n_columns], row);
    return KITH_OK;
}

/* The columns that models and hierarchies look at, or all. */
static kith_status choose_columns(sql_rows *r, const sql_store *s, bool all, arena *memory,
                                  kith_error *error)
{
    uint32_t *which = TRY_ALLOC(arena_array(memory, s->table.n_columns, sizeof *which), error);
    for (uint32_t i = 0; i < s->table.n_columns; i++)
        if (all || sql_store_judges(s, i))
            which[r->n_columns++] = i;
    r->which = which;
    return KITH_OK;
}

/* Different combinations of values, with the number of rows of each behind them. */
static const char *select_groups(const sql_rows *r, const sql_store *s, arena *memory)
{
    uint32_t *at = arena_array(memory, r->n_columns, sizeof *at);
    const char *list = "";
    if (at == NULL)
        return NULL;
    for (uint32_t i = 0; i < r->n_columns && list != NULL; i++) {
        at[i] = s->at[r->which[i]];
        list = arena_printf(memory, "%sc%u, ", list, i);
    }
    const char *groups = postgres_table_groups(s->data, at, r->n_columns, s->kept, memory);
    return list == NULL || groups == NULL
               ? NULL
               : arena_printf(memory, "SELECT %s" POSTGRES_TABLE_COUNT " FROM (%s) counted", list,
                              groups);
}

static kith_status count_groups(sql_store *s, kith_error *error)
{
    arena *memory = s->groups_memory;
    sql_rows *r = TRY_ALLOC(arena_zalloc(memory, 1, sizeof *r), error);
    TRY(choose_columns(r, s, false, memory, error));
    TRY(read_rows(r, s, select_groups(r, s, memory), 1, memory, error));
    r->weight = TRY_ALLOC(arena_array(memory, ROW_SPILL_ROWS, sizeof *r->weight), error);
    s->groups = r;
    return KITH_OK;
}

kith_status sql_store_scan(void *self, store_visit visit, void *to, kith_error *error)
{
    sql_store *s = self;
    if (s->groups == NULL)
        TRY(count_groups(s, error));
    const store_block block = {.rows = &s->groups->block, .weight = s->groups->weight};
    for (uint32_t i = 0; i < row_spill_blocks(s->groups->spill); i++) {
        TRY(read_block(s->groups, i, error));
        TRY(visit(to, &block, error));
    }
    return KITH_OK;
}

/* All rows in the order of the whole table. */
static const char *select_rows(const sql_store *s, arena *memory)
{
    const postgres_table *t = s->data;
    const char *list = "";
    for (uint32_t i = 0; i < s->table.n_columns && list != NULL; i++)
        list =
            arena_printf(memory, "%s%s%s", list, i == 0 ? "" : ", ", t->columns[s->at[i]].quoted);
    const char *order = t->by_key ? arena_printf(memory, " ORDER BY %s", t->order)
                                  : postgres_order_by(t->db, memory, s->specs, s->table.n_columns);
    return list == NULL || order == NULL
               ? NULL
               : arena_printf(memory, "SELECT %s FROM %s%s%s", list, t->from, s->kept, order);
}

/* Sorts the rows by pieces. */
static kith_status deal_rows(sql_store *s, const store_pieces *pieces, arena *scratch,
                             kith_error *error)
{
    sql_rows r = {.n_columns = 0};
    TRY(choose_columns(&r, s, true, scratch, error));
    TRY(read_rows(&r, s, select_rows(s, scratch), 0, scratch, error));
    const store_block block = {.rows = &r.block};
    uint32_t *piece_of = TRY_ALLOC(arena_array(scratch, ROW_SPILL_ROWS, sizeof *piece_of), error);
    for (uint32_t i = 0; i < row_spill_blocks(r.spill); i++) {
        TRY(read_block(&r, i, error));
        TRY(pieces->of(pieces->user, &block, piece_of, error));
        TRY(row_buckets_deal(&s->pieces, &r.block, piece_of, 0, error));
    }
    return KITH_OK;
}

kith_status sql_store_divide(void *self, const store_pieces *pieces, kith_error *error)
{
    sql_store *s = self;
    arena_free(s->groups_memory);
    s->groups_memory = NULL;
    s->values = pieces->values;
    TRY(row_buckets_open(&s->pieces, &s->table, false, pieces->count, s->buffer_bytes,
                         SQL_STORE_BESIDE, s->pieces_memory, error));
    arena *scratch = TRY_ALLOC(arena_new_like(s->context->memory), error);
    const kith_status status = deal_rows(s, pieces, scratch, error);
    arena_free(scratch);
    TRY(status);
    /* The search may take long: the server need not keep the snapshot for it. */
    return postgres_run(s->data->db, "COMMIT", PGRES_COMMAND_OK, "read", error);
}

kith_status sql_store_fetch(void *self, uint32_t piece, kith_table *rows, arena *memory,
                            kith_error *error)
{
    sql_store *s = self;
    TRY(row_buckets_read(&s->pieces, piece, rows, NULL, memory, error));
    s->fetched = *rows;
    return KITH_OK;
}
