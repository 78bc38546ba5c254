/* Reading the rows of a table: all of them in their order, once, into a temporary file. */
#include <string.h>

#include "core/error.h"
#include "job/store/sql_store_internal.h"
#include "table/postgres_source.h"

/* Do models or hierarchies look at this column? */
static bool is_judged(const kith_study *study, const char *name)
{
    for (uint32_t i = 0; i < study->n_columns; i++)
        if (strcmp(study->columns[i].name, name) == 0)
            return study->columns[i].role == ROLE_QUASI_IDENTIFYING ||
                   study->columns[i].role == ROLE_SENSITIVE;
    return false;
}

/* With `missing: drop`, rows are kept that lack nothing that models look at. */
static kith_status find_rule(sql_store *s, const kith_table_options *options, kith_error *error)
{
    s->rule = (row_spill_rule){.drop_empty = true};
    if (s->study->missing != MISSING_DROP)
        return KITH_OK;
    bool *needed =
        TRY_ALLOC(arena_zalloc(s->context->memory, options->n_columns, sizeof *needed), error);
    for (size_t i = 0; i < options->n_columns; i++)
        needed[i] = is_judged(s->study, options->columns[i].name);
    s->rule.needed = needed;
    s->rule.drop = true;
    return KITH_OK;
}

/* All rows in the order of the address, or of the primary key, or of all columns that are read. */
static kith_status select_rows(postgres_spill *asked, const sql_store *s, kith_error *error)
{
    const kith_table_options *options = asked->options;
    const postgres_table *t = s->data;
    arena *memory = s->context->memory;
    const char *list = "", *order;
    uint32_t *places = TRY_ALLOC(arena_array(memory, options->n_columns, sizeof *places), error);
    for (size_t i = 0; i < options->n_columns; i++) {
        TRY(postgres_table_column(&places[i], t, options->columns[i].name, error));
        list = TRY_ALLOC(
            arena_printf(memory, "%s%s%s", list, i == 0 ? "" : ", ", t->columns[places[i]].quoted),
            error);
    }
    if (t->by_key)
        order = arena_printf(memory, " ORDER BY %s", t->order);
    else
        order = postgres_order_by(t->db, memory, options->columns, options->n_columns);
    TRY_ALLOC(order, error);
    asked->select =
        TRY_ALLOC(arena_printf(memory, "SELECT %s FROM %s%s", list, t->from, order), error);
    asked->places = places;
    return KITH_OK;
}

static kith_status refuse_missing(const sql_store *s, kith_error *error)
{
    const kith_table *table = row_spill_table(s->sent);
    for (uint32_t i = 0; i < table->n_columns && s->study->missing == MISSING_REJECT; i++) {
        const column *c = &table->columns[i];
        const uint64_t count = row_spill_counts(s->sent)[i][c->values.count];
        if (count > 0 && is_judged(s->study, c->name))
            return error_set(
                error, KITH_DATA,
                "%s: %llu cells of column %s are missing, and the study has missing: reject",
                s->data->shown, (unsigned long long)count, c->name);
    }
    return KITH_OK;
}

kith_status sql_store_survey(void *self, const kith_table **table, prepare_whole *whole,
                             kith_error *error)
{
    sql_store *s = self;
    arena *memory = s->context->memory;
    const kith_table_options *options = &s->data->options;
    postgres_spill asked = {.db = s->data->db,
                            .options = options,
                            .rule = &s->rule,
                            .run = s->context->run,
                            .phase = "load",
                            .beside = SQL_STORE_BESIDE};
    TRY(find_rule(s, options, error));
    TRY(select_rows(&asked, s, error));
    TRY(postgres_source_spill(&s->sent, &asked, memory, error));
    TRY(refuse_missing(s, error));
    TRY(row_spill_room(s->sent, &s->block, memory, error));
    *table = row_spill_table(s->sent);
    *whole = (prepare_whole){.n_rows = row_spill_rows(s->sent),
                             .dropped = row_spill_dropped(s->sent),
                             .empty = row_spill_empty(s->sent),
                             .counts = row_spill_counts(s->sent)};
    return KITH_OK;
}

kith_status sql_store_scan(void *self, store_visit visit, void *to, kith_error *error)
{
    sql_store *s = self;
    const store_block block = {.rows = &s->block};
    for (uint32_t i = 0; i < row_spill_blocks(s->sent); i++) {
        TRY(row_spill_block(s->sent, i, &s->block, error));
        TRY(visit(to, &block, error));
    }
    return KITH_OK;
}

/* Rows of a block go to their pieces. */
typedef struct dealer {
    sql_store *to;
    const store_pieces *pieces;
    uint32_t *piece_of; /* [ROW_SPILL_ROWS] */
} dealer;

static kith_status deal_block(void *to, const store_block *block, kith_error *error)
{
    dealer *d = to;
    TRY(d->pieces->of(d->pieces->user, block, d->piece_of, error));
    return row_buckets_deal(&d->to->pieces, block->rows, d->piece_of, 0, error);
}

kith_status sql_store_divide(void *self, const store_pieces *pieces, kith_error *error)
{
    sql_store *s = self;
    arena *memory = s->pieces_memory;
    s->values = pieces->values;
    TRY(row_buckets_open(&s->pieces, &s->block, false, pieces->count, s->buffer_bytes,
                         SQL_STORE_BESIDE, memory, error));
    dealer d = {.to = s, .pieces = pieces};
    d.piece_of = TRY_ALLOC(arena_array(memory, ROW_SPILL_ROWS, sizeof *d.piece_of), error);
    TRY(sql_store_scan(s, deal_block, &d, error));
    row_spill_forget(s->sent);
    return KITH_OK;
}

kith_status sql_store_fetch(void *self, uint32_t piece, kith_table *rows, arena *memory,
                            kith_error *error)
{
    const sql_store *s = self;
    return row_buckets_read(&s->pieces, piece, rows, NULL, memory, error);
}
