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
    s->rule.numbered = s->rule.numbered || s->options->mapping != NULL;
    if (policy != MISSING_DROP && policy != MISSING_REJECT)
        return KITH_OK;
    bool *needed = TRY_ZEROS(needed, s->context->memory, options->n_columns, error);
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

kith_status store_read(store *s, bool cut, const kith_table **table, const store_values **values,
                       kith_error *error)
{
    arena *memory = s->context->memory;
    kith_table_options options = study_table_options(s->study);
    options.separator = s->options->input->separator;
    options.csv = s->options->input->csv;
    TRY(find_needed(s, &options, error));
    TRY(row_spill_read(&s->data, s->options->input->uri, &options, &s->rule, s->beside,
                       s->context->run, memory, error));
    TRY(check_missing(s, error));
    TRY(row_spill_room(s->data, &s->block, memory, error));
    *table = row_spill_table(s->data);
    *values = &s->values;
    const uint64_t n_rows = row_spill_rows(s->data);
    if (n_rows >= UINT32_MAX)
        return error_set(error, KITH_DATA, "%s: more than %u rows", (*table)->source,
                         UINT32_MAX - 1);
    s->values.whole = (prepare_whole){.n_rows = n_rows,
                                      .dropped = row_spill_dropped(s->data),
                                      .empty = row_spill_empty(s->data),
                                      .of_values = true,
                                      .counts = row_spill_counts(s->data)};
    return store_values_make(&s->values, s->study, s->data, &s->block, cut, s->context, error);
}

kith_status store_scan(void *user, record_visit visit, void *to, kith_error *error)
{
    store *s = user;
    for (uint32_t i = 0; i < row_spill_blocks(s->data); i++) {
        record_block records;
        TRY(row_spill_block(s->data, i, &s->block, error));
        TRY(store_values_block(&s->values, &s->block, &records, s->context->memory, error));
        records.first = i * ROW_SPILL_ROWS;
        TRY(visit(to, &records, error));
    }
    return KITH_OK;
}

static kith_status take_block(store *s, uint32_t block, store_step step, void *to,
                              kith_error *error)
{
    context own = *s->context;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(own.memory), error);
    own.memory = memory;
    return step(to, block, &own, error);
}

kith_status store_blocks(store *s, row_spill *data, row_spill *texts, store_step step, void *to,
                         kith_error *error)
{
    for (uint32_t i = 0; i < row_spill_blocks(data == NULL ? texts : data); i++) {
        if (data != NULL)
            TRY(row_spill_block(data, i, &s->block, error));
        if (texts != NULL)
            TRY(row_spill_block(texts, i, &s->texts, error));
        TRY(take_block(s, i, step, to, error));
    }
    return KITH_OK;
}

kith_status store_columns(kith_table *to, const kith_table *a, const kith_table *b, uint64_t n_rows,
                          arena *memory, kith_error *error)
{
    const uint32_t n_b = b == NULL ? 0 : b->n_columns, n = a->n_columns + n_b;
    *to = *a;
    to->source_rows = NULL;
    to->n_columns = n + 1;
    to->columns = TRY_ALLOC(arena_zalloc(memory, n + (size_t)1, sizeof *to->columns), error);
    if (a->n_columns > 0)
        memcpy(to->columns, a->columns, a->n_columns * sizeof *to->columns);
    if (n_b > 0)
        memcpy(to->columns + a->n_columns, b->columns, n_b * sizeof *to->columns);
    to->columns[n].values.count = (uint32_t)n_rows;
    return KITH_OK;
}

/* The block that was read last goes to its pieces, with the numbers of its rows as one more column.
 */
static kith_status distribute_block(store *s, const division *d, kith_table *rows,
                                    uint32_t *piece_of, uint32_t first, kith_error *error)
{
    record_block records;
    const uint32_t n = rows->n_rows = s->block.n_rows;
    for (uint32_t i = 0; i < n; i++)
        rows->columns[s->block.n_columns].codes[i] = first + i;
    if (division_count(d) == 1) {
        memset(piece_of, 0, n * sizeof *piece_of);
        return row_buckets_distribute(&s->pieces, rows, piece_of, error);
    }
    TRY(store_values_block(&s->values, &s->block, &records, s->context->memory, error));
    division_pieces(d, &records, piece_of);
    return row_buckets_distribute(&s->pieces, rows, piece_of, error);
}

kith_status store_divide(store *s, const division *d, kith_error *error)
{
    arena *memory = s->pieces_memory;
    kith_table rows;
    TRY(store_columns(&rows, &s->block, NULL, row_spill_rows(s->data), memory, error));
    TRY(row_buckets_open(&s->pieces, &rows, division_count(d), s->buffer_bytes, s->beside, memory,
                         error));
    uint32_t *numbers = TRY_ALLOC(arena_array(memory, ROW_SPILL_ROWS, sizeof *numbers), error);
    uint32_t *piece_of = TRY_ALLOC(arena_array(memory, ROW_SPILL_ROWS, sizeof *piece_of), error);
    rows.columns[s->block.n_columns].codes = numbers;
    for (uint32_t i = 0; i < row_spill_blocks(s->data); i++) {
        TRY(row_spill_block(s->data, i, &s->block, error));
        TRY(distribute_block(s, d, &rows, piece_of, i * ROW_SPILL_ROWS, error));
    }
    return KITH_OK;
}

kith_status store_fetch(store *s, uint32_t piece, kith_table *rows, arena *memory,
                        kith_error *error)
{
    TRY(row_buckets_read(&s->pieces, piece, rows, memory, error));
    rows->source_rows = rows->columns[--rows->n_columns].codes;
    s->fetched = rows;
    return KITH_OK;
}

static void free_memories(void *object)
{
    store *s = object;
    arena_free(s->pieces_memory);
    arena_free(s->shown_memory);
    arena_free(s->pairs_memory);
}

/* Does a verdict depend on which of two classes comes first? Two shares that are equally near to
 * their bounds may differ. */
static bool names_rows(const kith_study *study)
{
    for (uint32_t i = 0; i < study->n_models; i++)
        if (study->models[i].id == MODEL_DELTA_PRESENCE)
            return true;
    return false;
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
                 .numbered = options->mapping != NULL || names_rows(study) || study->n_unit > 0,
                 .context = c};
    TRY_ALLOC(arena_defer(c->memory, free_memories, s), error);
    s->pieces_memory = TRY_ALLOC(arena_new_like(c->memory), error);
    s->shown_memory = TRY_ALLOC(arena_new_like(c->memory), error);
    s->pairs_memory = TRY_ALLOC(arena_new_like(c->memory), error);
    *result = s;
    return KITH_OK;
}
