#include "job/store/sql_store.h"

#include "core/error.h"
#include "job/store/sql_store_internal.h"
#include "table/uri.h"

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
    s->pieces_memory = TRY_ALLOC(arena_new_like(c->memory), error);
    s->pairs_memory = TRY_ALLOC(arena_new_like(c->memory), error);
    const kith_table_options read = study_table_options(study);
    TRY(postgres_table_open(&s->data, c->memory, options->input, &read, c->run, error));
    *result = (store){.self = s,
                      .survey = sql_store_survey,
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
