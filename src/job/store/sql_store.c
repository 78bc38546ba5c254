#include "job/store/sql_store.h"

#include <string.h>

#include "core/error.h"
#include "job/store/sql_store_internal.h"
#include "table/uri.h"

static void free_table(void *object)
{
    kith_table_free(object);
}

bool sql_store_judges(const sql_store *s, uint32_t i)
{
    const kith_study *study = s->study;
    for (uint32_t j = 0; j < study->n_columns; j++)
        if (strcmp(study->columns[j].name, s->specs[i].name) == 0)
            return study->columns[j].role == ROLE_QUASI_IDENTIFYING ||
                   study->columns[j].role == ROLE_SENSITIVE;
    return false;
}

/* With `missing: drop`, rows that lack nothing that models look at. */
static kith_status find_kept(sql_store *s, kith_error *error)
{
    s->kept = "";
    for (uint32_t i = 0; i < s->table.n_columns && s->study->missing == MISSING_DROP; i++)
        if (sql_store_judges(s, i))
            s->kept = TRY_ALLOC(arena_printf(s->context->memory, "%s%s(%s) IS NOT NULL", s->kept,
                                             s->kept[0] == '\0' ? " WHERE " : " AND ",
                                             s->data->columns[s->at[i]].cell),
                                error);
    return KITH_OK;
}

static kith_status refuse_missing(const sql_store *s, uint32_t i, uint64_t count, kith_error *error)
{
    if (count == 0 || s->study->missing != MISSING_REJECT || !sql_store_judges(s, i))
        return KITH_OK;
    return error_set(error, KITH_DATA,
                     "%s: %llu cells of column %s are missing, and the study has missing: reject",
                     s->data->shown, (unsigned long long)count, s->specs[i].name);
}

/* The dictionary of a column, and how often each value occurs. */
static kith_status survey_column(sql_store *s, uint32_t i, uint64_t **counts, uint64_t *n_rows,
                                 kith_error *error)
{
    arena *memory = s->context->memory;
    postgres_values v;
    TRY(postgres_table_values(&v, s->data, &s->specs[i], s->kept, error));
    if (!arena_defer(memory, free_table, v.table))
        return error_nomem(error);
    column *c = &s->table.columns[i];
    *c =
        (column){.name = s->specs[i].name, .values = v.table->columns[0].values, .place = s->at[i]};
    *counts = TRY_ALLOC(arena_array(memory, c->values.count + (size_t)1, sizeof **counts), error);
    for (uint32_t code = 0; code <= c->values.count; code++)
        (*counts)[code] = v.counts[code];
    *n_rows = v.n_rows;
    return refuse_missing(s, i, v.counts[c->values.count], error);
}

static kith_status survey(void *self, const kith_table **table, prepare_whole *whole,
                          kith_error *error)
{
    sql_store *s = self;
    arena *memory = s->context->memory;
    uint64_t all = 0;
    uint64_t **counts = TRY_ALLOC(arena_array(memory, s->table.n_columns, sizeof *counts), error);
    *whole = (prepare_whole){.counts = (const uint64_t *const *)counts};
    for (uint32_t i = 0; i < s->table.n_columns; i++) {
        TRY(survey_column(s, i, &counts[i], &whole->n_rows, error));
        if (!context_progress(s->context, "load", (i + 1.0) / s->table.n_columns))
            return error_set(error, KITH_CANCELLED, "interrupted while reading %s", s->data->shown);
    }
    const char *count = arena_printf(memory, "SELECT count(*) FROM %s", s->data->from);
    if (s->kept[0] != '\0') {
        TRY(postgres_table_numbers(&all, 1, s->data, count, error));
        whole->dropped = all - whole->n_rows;
    }
    *table = &s->table;
    return KITH_OK;
}

static kith_status check_addresses(const kith_anonymize_options *o, kith_error *error)
{
    const char *wrong = uri_which(o->input) != URI_POSTGRES    ? o->input
                        : uri_which(o->output) != URI_POSTGRES ? o->output
                                                               : NULL;
    if (wrong == NULL)
        return KITH_OK;
    error_set(error, KITH_INVALID,
              "%s: with engine: sql data and release are tables of PostgreSQL servers", wrong);
    return error_hint(error, KITH_INVALID,
                      "an address is postgresql://user@host/database?table=NAME");
}

static kith_status open_data(sql_store *s, kith_error *error)
{
    const kith_table_options options = study_table_options(s->study);
    arena *memory = s->context->memory;
    const uint32_t count = (uint32_t)options.n_columns;
    TRY(postgres_table_open(&s->data, memory, s->options->input, &options, s->context->run, error));
    s->specs = s->study->read;
    s->at = TRY_ALLOC(arena_array(memory, count, sizeof *s->at), error);
    for (uint32_t i = 0; i < count; i++)
        TRY(postgres_table_column(&s->at[i], s->data, s->specs[i].name, error));
    s->table = (kith_table){.memory = memory,
                            .source = s->data->shown,
                            .trim = options.trim,
                            .n_columns = count,
                            .columns = arena_zalloc(memory, count, sizeof *s->table.columns)};
    TRY_ALLOC(s->table.columns, error);
    return find_kept(s, error);
}

/* For the buffers of sorted rows, if the study does not say how much memory there is. */
enum { BUFFER_BYTES = 16 << 20 };

/* Bytes that a cell takes in memory while it is anonymized, from the measurement in docs/scale.md.
 */
enum { MEMORY_PER_CELL = 24 };

kith_status sql_store_needed(bool *needed, const kith_study *study,
                             const kith_anonymize_options *options, uint64_t memory_bytes,
                             context *c, kith_error *error)
{
    const kith_table_options read = study_table_options(study);
    postgres_table *t;
    uint64_t n_rows;
    *needed = study->engine == ENGINE_SQL;
    if (*needed || memory_bytes == 0 || uri_which(options->input) != URI_POSTGRES ||
        uri_which(options->output) != URI_POSTGRES)
        return KITH_OK;
    arena *memory = TRY_ALLOC(arena_new(), error); /* closes the connection */
    kith_status status = postgres_table_open(&t, memory, options->input, &read, c->run, error);
    if (status == KITH_OK)
        status = postgres_table_numbers(
            &n_rows, 1, t, arena_printf(memory, "SELECT count(*) FROM %s", t->from), error);
    if (status == KITH_OK)
        *needed = n_rows * read.n_columns > memory_bytes / MEMORY_PER_CELL;
    arena_free(memory);
    return status;
}

static void free_memories(void *object)
{
    sql_store *s = object;
    arena_free(s->groups_memory);
    arena_free(s->pieces_memory);
    arena_free(s->pairs_memory);
}

kith_status sql_store_open(store *result, const kith_study *study,
                           const kith_anonymize_options *options, context *c, kith_error *error)
{
    sql_store *s = TRY_ALLOC(arena_zalloc(c->memory, 1, sizeof *s), error);
    *s = (sql_store){.study = study, .options = options, .context = c};
    s->buffer_bytes = study->memory_bytes > 0 ? study->memory_bytes / 8 : BUFFER_BYTES;
    TRY(check_addresses(options, error));
    if (!arena_defer(c->memory, free_memories, s))
        return error_nomem(error);
    s->groups_memory = TRY_ALLOC(arena_new_like(c->memory), error);
    s->pieces_memory = TRY_ALLOC(arena_new_like(c->memory), error);
    s->pairs_memory = TRY_ALLOC(arena_new_like(c->memory), error);
    TRY(open_data(s, error));
    *result = (store){.self = s,
                      .survey = survey,
                      .open = sql_store_open_release,
                      .scan = sql_store_scan,
                      .divide = sql_store_divide,
                      .fetch = sql_store_fetch,
                      .put = sql_store_put,
                      .finish = sql_store_finish,
                      .parts = sql_store_parts,
                      .commit = sql_store_commit};
    return KITH_OK;
}
