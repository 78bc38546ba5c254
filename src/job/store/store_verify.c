#include "job/store/store_verify.h"

#include <xxhash.h>

#include "core/error.h"
#include "job/assess/assess.h"
#include "job/store/store_internal.h"
#include "job/store/store_pairs.h"

kith_status store_verify_read(store **result, const kith_table **texts, const kith_study *study,
                              const kith_input *from, uint64_t memory_bytes, context *c,
                              kith_error *error)
{
    static const row_spill_rule numbered = {.numbered = true};
    const kith_table_options options =
        KITH_OPTIONS(kith_table_options, .separator = from->separator, .csv = from->csv);
    kith_anonymize_options *o = TRY_ALLOC(arena_alloc(c->memory, sizeof *o), error);
    *o = (kith_anonymize_options)KITH_OPTIONS(kith_anonymize_options, .output = "-");
    TRY(store_open(result, study, o, memory_bytes, NULL, c, error));
    store *s = *result;
    s->numbered = true;
    TRY(row_spill_read(&s->made, from->uri, &options, &numbered, s->beside, c->run, c->memory,
                       error));
    s->release = s->made;
    *texts = row_spill_table(s->made);
    if (row_spill_rows(s->made) >= UINT32_MAX)
        return error_set(error, KITH_DATA, "%s: more than %u rows", (*texts)->source,
                         UINT32_MAX - 1);
    return row_spill_room(s->made, &s->texts, c->memory, error);
}

/* One step for a block of the release, and of the data if there is one. */
typedef struct blocks {
    store *store;
    const assess_task *task;
    assess_whole whole;
    const prepared *data;      /* what the release has of it */
    uint32_t first;            /* row of the block */
    bool in_order;             /* every row covers its record so far; otherwise: */
    uint32_t wrong_row;        /* the first that does not */
    uint64_t wrong_line;       /* of its record, or 0 */
    row_buckets rows, records; /* by what they show of columns that are not generalized */
    levels_report *levels;
} blocks;
/* The records of a block or a part, as far as the release has their columns. */
static kith_status prepare_records(prepared *p, const blocks *b, const kith_table *data, context *c,
                                   kith_error *error)
{
    const store *s = b->store;
    prepared all;
    TRY(prepare_slice(&all, s->study, data, &s->values.whole, c, error));
    return assess_part(p, &all, row_spill_table(s->made), c, error);
}

static kith_status compare_block(void *to, uint32_t block, context *c, kith_error *error)
{
    blocks *b = to;
    prepared p;
    cover_report cover;
    if (!b->in_order)
        return KITH_OK;
    TRY(prepare_records(&p, b, &b->store->block, c, error));
    TRY(assess_cover(&cover, &p, &b->store->texts, c, error));
    if (cover.n_wrong_rows == 0)
        return KITH_OK;
    b->in_order = false;
    b->wrong_row = block * ROW_SPILL_ROWS + cover.row;
    b->wrong_line = table_source_line(p.table, cover.data_row);
    return KITH_OK;
}

/* Mixes a cell into the hash of its row; what looks equal in a file is equal. */
static uint32_t store_verify_mix(uint32_t hash, const column *of, uint32_t row)
{
    const uint32_t code = of->codes[row];
    const uint32_t length = code == TABLE_MISSING ? 0 : dictionary_length(&of->values, code);
    return length == 0
               ? hash * 31
               : (uint32_t)XXH3_64bits_withSeed(dictionary_text(&of->values, code), length, hash);
}

/* Rows and records that may belong together go to one part. */
static kith_status distribute_block(void *to, uint32_t block, context *c, kith_error *error)
{
    blocks *b = to;
    const store *s = b->store;
    (void)block;
    prepared p;
    const uint32_t n = s->texts.n_rows, n_parts = buckets_count(b->rows.buckets);
    TRY(prepare_records(&p, b, &s->block, c, error));
    uint32_t *row_part = TRY_ALLOC(arena_zalloc(c->memory, n, sizeof *row_part), error);
    uint32_t *record_part = TRY_ALLOC(arena_zalloc(c->memory, n, sizeof *record_part), error);
    for (uint32_t i = 0; i < p.n_columns; i++) {
        const uint32_t at = table_find(&s->texts, p.columns[i].study->name);
        for (uint32_t r = 0; r < n && p.columns[i].attribute == PREPARE_NONE; r++) {
            row_part[r] = store_verify_mix(row_part[r], &s->texts.columns[at], r);
            record_part[r] =
                store_verify_mix(record_part[r], &p.texts->columns[p.columns[i].source], r);
        }
    }
    for (uint32_t r = 0; r < n; r++) {
        row_part[r] %= n_parts;
        record_part[r] %= n_parts;
    }
    TRY(row_buckets_distribute(&b->rows, &s->texts, row_part, error));
    return row_buckets_distribute(&b->records, &s->block, record_part, error);
}

/* Looks for a record for each row of a part. */
static kith_status match_part(const blocks *b, uint32_t part, cover_report *cover,
                              kith_error *error)
{
    context own = *b->store->context;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(own.memory), error);
    kith_table rows, records;
    prepared p;
    cover_report one;
    own.memory = memory;
    TRY(row_buckets_read(&b->rows, part, &rows, memory, error));
    TRY(row_buckets_read(&b->records, part, &records, memory, error));
    TRY(prepare_records(&p, b, &records, &own, error));
    TRY(assess_cover_slices(&one, &p, &rows, 0, &own, error));
    cover->holds = cover->holds && one.holds;
    if (one.check == COVER_COUNTED)
        cover->check = COVER_COUNTED;
    return KITH_OK;
}

static kith_status match(blocks *b, cover_report *cover, kith_error *error)
{
    enum { PART_ROWS = 1 << 17 };
    store *s = b->store;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(s->context->memory), error);
    const uint32_t n_parts = (uint32_t)(row_spill_rows(s->made) / PART_ROWS + 1);
    TRY(row_buckets_open(&b->rows, &s->texts, n_parts, s->buffer_bytes, s->beside, memory, error));
    TRY(row_buckets_open(&b->records, &s->block, n_parts, s->buffer_bytes, s->beside, memory,
                         error));
    TRY(store_blocks(s, s->data, s->made, distribute_block, b, error));
    *cover = (cover_report){.holds = true, .check = COVER_MATCHED};
    for (uint32_t i = 0; i < n_parts && cover->holds; i++)
        TRY(match_part(b, i, cover, error));
    return KITH_OK;
}

/* What is wrong with a release in another order is a question about all rows. */
static kith_status refuse_wrong(const blocks *b, const kith_input *data, kith_error *error)
{
    error_at(error, KITH_INVALID, data->uri, b->wrong_line, 0,
             "row %u of %s does not stand for this record, and the rows are in no other order: "
             "which of them are wrong cannot be found out from the disk",
             b->wrong_row + 1, b->store->texts.source);
    return error_hint(error, KITH_INVALID, "allow more memory");
}

kith_status store_verify_cover(store *s, const kith_input *from, prepared *data,
                               cover_report *cover, uint64_t *n_released, kith_error *error)
{
    const kith_table *table;
    const store_values *values;
    kith_anonymize_options *o = TRY_ALLOC(arena_alloc(s->context->memory, sizeof *o), error);
    *o = *s->options;
    o->input = from;
    s->options = o;
    s->rule.numbered = true; /* for messages */
    TRY(prepare_compare_check(s->study, error));
    TRY(store_read(s, false, &table, &values, error));
    TRY(assess_part(data, &values->prepared, row_spill_table(s->made), s->context, error));
    *n_released = row_spill_rows(s->made);
    *cover = (cover_report){.counts_differ = values->whole.n_rows != *n_released};
    if (cover->counts_differ)
        return KITH_OK;
    blocks b = {.store = s, .in_order = true};
    TRY(store_blocks(s, s->data, s->made, compare_block, &b, error));
    *cover = (cover_report){.holds = true, .check = COVER_IN_ORDER};
    if (b.in_order)
        return KITH_OK;
    TRY(match(&b, cover, error));
    return cover->holds ? KITH_OK : refuse_wrong(&b, from, error);
}

static kith_status find_suppressed(void *to, uint32_t block, context *c, kith_error *error)
{
    blocks *b = to;
    (void)block;
    (void)c; /* what is found lives longer */
    return assess_find_suppressed(&b->whole, b->task, &b->store->texts, b->store->context, error);
}

static kith_status count_suppressed(void *to, uint32_t block, context *c, kith_error *error)
{
    blocks *b = to;
    (void)block;
    return assess_count_suppressed(&b->whole.n_suppressed, &b->whole, b->task, &b->store->texts, c,
                                   error);
}

static kith_status judge_levels(void *to, uint32_t block, context *c, kith_error *error)
{
    const blocks *b = to;
    verify_report report;
    levels_report one, *all = b->levels;
    TRY(assess_group(&report, b->task, &b->whole, &b->store->texts, c, error));
    TRY(assess_levels(&one, b->task->data, &b->store->texts, &report, c, error));
    one.row += block * ROW_SPILL_ROWS;
    one.n_wrong_rows += all->n_wrong_rows;
    if (all->holds)
        *all = one;
    all->n_wrong_rows = one.n_wrong_rows;
    return KITH_OK;
}

static kith_status add_release(void *to, const store_part *part, kith_error *error)
{
    assess_sums *sums = to;
    context own = *sums->context;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(own.memory), error);
    own.memory = memory;
    return assess_add(sums, NULL, part->texts, &own, error);
}

/* Brings the classes of the release together. */
static kith_status judge_models(blocks *b, assessment *found, kith_error *error)
{
    store *s = b->store;
    static const kith_table nothing = {.n_columns = 0};
    assess_sums sums;
    TRY(store_pairs_open(&s->pairs, s, &nothing, s->made, STORE_BY_CLASS, s->pairs_memory, error));
    for (uint32_t i = 0; i < row_spill_blocks(s->made); i++) {
        TRY(row_spill_block(s->made, i, &s->texts, error));
        TRY(store_pairs_add(s->pairs, &nothing, &s->texts, error));
    }
    TRY(assess_open(&sums, b->task, &b->whole, s->context, error));
    TRY(store_pairs_visit(s->pairs, add_release, &sums, s->context->memory, error));
    return assess_finish(found, &sums, error);
}

/* Fetches a row of the release as row `to` of the examples, whose place is known afterwards. */
static kith_status fetch_row(store *s, kith_table *rows, verdict_place *place, uint32_t to,
                             uint32_t row, kith_error *error)
{
    TRY(row_spill_block(s->made, row / ROW_SPILL_ROWS, &s->texts, error));
    for (uint32_t i = 0; i < rows->n_columns; i++)
        rows->columns[i].codes[to] = s->texts.columns[i].codes[row % ROW_SPILL_ROWS];
    place[to] = (verdict_place){row, table_source_line(&s->texts, row % ROW_SPILL_ROWS)};
    return KITH_OK;
}

/* One row for each model that is broken, and one for the levels. */
static kith_status fetch_examples(store *s, verify_report *report, levels_report *levels,
                                  verdict_rows *examples, kith_error *error)
{
    arena *memory = s->context->memory;
    const uint32_t n_models = s->study->n_models;
    kith_table *rows = TRY_ALLOC(arena_alloc(memory, sizeof *rows), error);
    verdict_place *place = TRY_ZEROS(place, memory, n_models + (size_t)1, error);
    TRY(table_room(rows, row_spill_table(s->made), n_models + 1, memory, error));
    for (uint32_t i = 0; i < n_models; i++) {
        if (!report->verdict[i].holds)
            TRY(fetch_row(s, rows, place, i, report->verdict[i].row, error));
        report->verdict[i].row = i;
    }
    if (levels != NULL && !levels->holds)
        TRY(fetch_row(s, rows, place, n_models, levels->row, error));
    if (levels != NULL)
        levels->row = n_models;
    *examples = (verdict_rows){rows, place};
    return KITH_OK;
}

kith_status store_verify_judge(store *s, const assess_task *task, verify_report *report,
                               levels_report *levels, verdict_rows *examples, kith_error *error)
{
    assessment found;
    blocks b = {.store = s, .task = task, .levels = levels};
    b.whole =
        (assess_whole){.n_rows = row_spill_rows(s->made), .counts = row_spill_counts(s->made)};
    if (assess_may_suppress(s->study, b.whole.n_rows) > 0) {
        TRY(store_blocks(s, NULL, s->made, find_suppressed, &b, error));
        b.whole.n_suppressed = 0;
        TRY(store_blocks(s, NULL, s->made, count_suppressed, &b, error));
    }
    TRY(judge_models(&b, &found, error));
    *report = found.verified;
    if (levels != NULL) {
        *levels = (levels_report){.holds = true};
        TRY(store_blocks(s, NULL, s->made, judge_levels, &b, error));
    }
    return fetch_examples(s, report, levels, examples, error);
}
