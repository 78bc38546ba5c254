/* Reading the release back, as it was written: piece after piece, beside the rows of the pieces. */
#include <string.h>

#include "core/error.h"
#include "job/store/sql_store_internal.h"
#include "job/store/store_pairs.h"
#include "table/postgres_source.h"

/* The release as the server has it, and the rows from which it was made. */
typedef struct both_rows {
    sql_store *store;
    row_spill *release;
    kith_table texts; /* room for a block of it */
    kith_table data;  /* the same: of the rows of the pieces */
    arena *memory;    /* of the present piece; NULL: none has been read */
    kith_table piece;
    uint32_t n_pieces; /* that have been read */
    uint32_t used;     /* rows of the present piece that are in blocks */
} both_rows;

static void free_piece(void *object)
{
    const both_rows *b = object;
    arena_free(b->memory);
}

/* Rows of a table that was made in this transaction come as they were written: the server reads it
 * from its beginning, by one process. If they did not, they would not cover the data, and nothing
 * would be released. */
static kith_status read_back(both_rows *b, arena *memory, kith_error *error)
{
    static const row_spill_rule all = {.needed = NULL};
    const sql_store *s = b->store;
    kith_table_options options = KITH_INIT(kith_table_options);
    kith_column_spec *specs = TRY_ALLOC(arena_zalloc(memory, s->n_columns, sizeof *specs), error);
    for (uint32_t i = 0; i < s->n_columns; i++)
        specs[i].name = s->names[i];
    options.columns = specs;
    options.n_columns = s->n_columns;
    const postgres_spill asked = {.db = s->out,
                                  .select =
                                      arena_printf(memory, "SELECT * FROM %s", s->staging.quoted),
                                  .options = &options,
                                  .rule = &all,
                                  .run = s->run,
                                  .phase = "verify",
                                  .beside = SQL_STORE_BESIDE};
    TRY(postgres_run(s->out,
                     "SET LOCAL synchronize_seqscans TO off; SET LOCAL "
                     "max_parallel_workers_per_gather TO 0",
                     PGRES_COMMAND_OK, "read", error));
    TRY(postgres_source_spill(&b->release, &asked, memory, error));
    if (row_spill_rows(b->release) != s->n_rows)
        return error_set(error, KITH_BUG, "%llu rows were written, and %llu read back",
                         (unsigned long long)s->n_rows,
                         (unsigned long long)row_spill_rows(b->release));
    TRY(row_spill_room(b->release, &b->texts, memory, error));
    return table_room(&b->data, &s->block, ROW_SPILL_ROWS, memory, error);
}

static kith_status next_piece(both_rows *b, kith_error *error)
{
    const row_buckets *pieces = &b->store->pieces;
    if (b->n_pieces == buckets_count(pieces->buckets))
        return error_set(error, KITH_BUG, "the release has more rows than the data");
    arena_free(b->memory);
    b->used = 0;
    b->memory = NULL;
    b->memory = TRY_ALLOC(arena_new_like(b->store->context->memory), error);
    return row_buckets_read(pieces, b->n_pieces++, &b->piece, NULL, b->memory, error);
}

/* Blocks are asked for one after the other. */
static kith_status read_pair(void *user, uint32_t block, kith_error *error)
{
    both_rows *b = user;
    TRY(row_spill_block(b->release, block, &b->texts, error));
    const uint32_t n = b->texts.n_rows;
    for (uint32_t done = 0; done < n;) {
        while (b->memory == NULL || b->used == b->piece.n_rows)
            TRY(next_piece(b, error));
        const uint32_t left = b->piece.n_rows - b->used;
        const uint32_t more = left < n - done ? left : n - done;
        for (uint32_t i = 0; i < b->data.n_columns; i++)
            memcpy(b->data.columns[i].codes + done, b->piece.columns[i].codes + b->used,
                   more * sizeof(uint32_t));
        b->used += more;
        done += more;
    }
    b->data.n_rows = n;
    return KITH_OK;
}

static kith_status sort(sql_store *s, kith_error *error)
{
    arena *memory = s->pairs_memory;
    both_rows *b = TRY_ALLOC(arena_zalloc(memory, 1, sizeof *b), error);
    b->store = s;
    if (!arena_defer(memory, free_piece, b))
        return error_nomem(error);
    TRY(read_back(b, memory, error));
    const store_pairs_source from = {.n_rows = row_spill_rows(b->release),
                                     .n_blocks = row_spill_blocks(b->release),
                                     .data = &b->data,
                                     .texts = &b->texts,
                                     .read = read_pair,
                                     .user = b};
    TRY(store_pairs_make(&s->pairs, &from, s->values, s->buffer_bytes, SQL_STORE_BESIDE, memory,
                         error));
    row_spill_forget(b->release);
    arena_free(s->pieces_memory);
    s->pieces_memory = NULL;
    return KITH_OK;
}

kith_status sql_store_parts(void *self, store_part_visit visit, void *to, kith_error *error)
{
    sql_store *s = self;
    if (s->pairs == NULL)
        TRY(sort(s, error));
    return store_pairs_visit(s->pairs, visit, to, s->context->memory, error);
}
