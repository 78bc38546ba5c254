#include "job/store/store.h"

#include <stdio.h> /* P_tmpdir */
#include <string.h>

#include "core/error.h"
#include "job/result/path_conflicts.h"
#include "job/store/store_internal.h"

/* Missing cells of quasi-identifying and sensitive columns matter (kept_rows.h). */
static kith_status find_needed(store *s, const kith_table_options *options, kith_error *error)
{
    const missing_policy policy = s->study->missing;
    s->rule.drop = policy == MISSING_DROP;
    s->rule.drop_empty = true;
    s->rule.numbered = s->options->mapping != NULL;
    if (policy != MISSING_DROP && policy != MISSING_REJECT)
        return KITH_OK;
    bool *needed =
        TRY_ALLOC(arena_zalloc(s->context->memory, options->n_columns, sizeof *needed), error);
    for (size_t i = 0; i < options->n_columns; i++)
        for (uint32_t k = 0; k < s->study->n_columns; k++) {
            const study_column *c = &s->study->columns[k];
            if (strcmp(c->name, options->columns[i].name) == 0)
                needed[i] = c->role == ROLE_QUASI_IDENTIFYING || c->role == ROLE_SENSITIVE;
        }
    s->rule.needed = needed;
    return KITH_OK;
}

/* The message of a table in memory, with the line of the row. */
static kith_status check_missing(const store *s, kith_error *error)
{
    uint32_t row, where;
    if (s->study->missing != MISSING_REJECT || !row_spill_lacks(s->data, &row, &where))
        return KITH_OK;
    kith_table one = *row_spill_table(s->data);
    one.n_rows = 1;
    one.source_rows = &row;
    return prepare_reject_missing(&one, 0, one.columns[where].name, error);
}

kith_status store_survey(store *s, const kith_table **table, prepare_whole *whole,
                         const uint32_t *const **first, kith_error *error)
{
    kith_table_options options = study_table_options(s->study);
    options.separator = s->options->separator;
    options.csv = s->options->csv;
    TRY(find_needed(s, &options, error));
    TRY(row_spill_read(&s->data, s->options->input, &options, &s->rule, s->beside, s->context->run,
                       s->context->memory, error));
    TRY(check_missing(s, error));
    TRY(row_spill_room(s->data, &s->block, s->context->memory, error));
    *table = row_spill_table(s->data);
    *whole = (prepare_whole){.n_rows = row_spill_rows(s->data),
                             .dropped = row_spill_dropped(s->data),
                             .empty = row_spill_empty(s->data),
                             .counts = row_spill_counts(s->data)};
    *first = row_spill_first(s->data);
    return KITH_OK;
}

kith_status store_scan(store *s, store_visit visit, void *to, kith_error *error)
{
    const store_block block = {.rows = &s->block};
    for (uint32_t i = 0; i < row_spill_blocks(s->data); i++) {
        TRY(row_spill_block(s->data, i, &s->block, error));
        TRY(visit(to, &block, error));
    }
    return KITH_OK;
}

/* Rows of one block go to their pieces, with their numbers as one more column. */
typedef struct dealer {
    store *to;
    const store_pieces *pieces;
    uint32_t *piece_of; /* [ROW_SPILL_ROWS] */
    kith_table rows;
    uint32_t next; /* number of the next row */
} dealer;

static kith_status deal_block(void *to, const store_block *block, kith_error *error)
{
    dealer *d = to;
    d->rows.n_rows = block->rows->n_rows;
    for (uint32_t i = 0; i < d->rows.n_rows; i++)
        d->rows.columns[block->rows->n_columns].codes[i] = d->next++;
    TRY(d->pieces->of(d->pieces->user, block, d->piece_of, error));
    return row_buckets_deal(&d->to->pieces, &d->rows, d->piece_of, error);
}

kith_status store_columns(kith_table *to, const kith_table *a, const kith_table *b, uint64_t n_rows,
                          arena *memory, kith_error *error)
{
    const uint32_t n_b = b == NULL ? 0 : b->n_columns, n = a->n_columns + n_b;
    *to = *a;
    to->source_rows = NULL;
    to->n_columns = n + 1;
    to->columns = TRY_ALLOC(arena_zalloc(memory, n + (size_t)1, sizeof *to->columns), error);
    memcpy(to->columns, a->columns, a->n_columns * sizeof *to->columns);
    if (n_b > 0)
        memcpy(to->columns + a->n_columns, b->columns, n_b * sizeof *to->columns);
    to->columns[n].values.count = (uint32_t)n_rows;
    return KITH_OK;
}

kith_status store_divide(store *s, const store_pieces *pieces, kith_error *error)
{
    arena *memory = s->pieces_memory;
    s->values = pieces->values;
    dealer d = {.to = s, .pieces = pieces};
    TRY(store_columns(&d.rows, &s->block, NULL, row_spill_rows(s->data), memory, error));
    TRY(row_buckets_open(&s->pieces, &d.rows, pieces->count, s->buffer_bytes, s->beside, memory,
                         error));
    uint32_t *numbers = TRY_ALLOC(arena_array(memory, ROW_SPILL_ROWS, sizeof *numbers), error);
    d.rows.columns[s->block.n_columns].codes = numbers;
    d.piece_of = TRY_ALLOC(arena_array(memory, ROW_SPILL_ROWS, sizeof *d.piece_of), error);
    return store_scan(s, deal_block, &d, error);
}

kith_status store_fetch(store *s, uint32_t piece, kith_table *rows, arena *memory,
                        kith_error *error)
{
    TRY(row_buckets_read(&s->pieces, piece, rows, memory, error));
    s->places = rows->source_rows = rows->columns[--rows->n_columns].codes;
    return KITH_OK;
}

static void free_memories(void *object)
{
    store *s = object;
    arena_free(s->pieces_memory);
    arena_free(s->shown_memory);
    arena_free(s->pairs_memory);
}

kith_status store_open(store **result, const kith_study *study,
                       const kith_anonymize_options *options, uint64_t memory_bytes,
                       publication *out, context *c, kith_error *error)
{
    store *s = TRY_ALLOC(arena_zalloc(c->memory, 1, sizeof *s), error);
    *s = (store){.study = study,
                 .options = options,
                 .buffer_bytes = memory_bytes / 8,
                 .beside = path_conflicts_is_file(options->output) ? options->output : P_tmpdir "/",
                 .out = out,
                 .context = c};
    if (!arena_defer(c->memory, free_memories, s))
        return error_nomem(error);
    s->pieces_memory = TRY_ALLOC(arena_new_like(c->memory), error);
    s->shown_memory = TRY_ALLOC(arena_new_like(c->memory), error);
    s->pairs_memory = TRY_ALLOC(arena_new_like(c->memory), error);
    *result = s;
    return KITH_OK;
}
