/* kith_table_builder: tables of a program that holds its data in columns. */
#include <stdlib.h>

#include "core/error.h"
#include "table/source.h"

/* Invariants: column i has its first cells[i] cells; `memory` owns everything but this struct, and
 * goes to the table. After an error `broken` is set, because a column may have half a piece. */
struct kith_table_builder {
    arena *memory; /* NULL: the table has it */
    kith_table_options options;
    table_builder *inside;
    size_t *cells; /* [options.n_columns] */
    bool broken;
};

static kith_status copy_missing(kith_table_builder *b, kith_error *error)
{
    const char *const *from = b->options.missing_values;
    if (from == NULL)
        return KITH_OK;
    const char **own = TRY_ARRAY(own, b->memory, b->options.n_missing_values, error);
    for (size_t i = 0; i < b->options.n_missing_values; i++)
        own[i] = TRY_ALLOC(arena_strdup(b->memory, from[i]), error);
    b->options.missing_values = own;
    return KITH_OK;
}

static kith_status table_builder_api_begin(kith_table_builder *b, kith_error *error)
{
    b->memory = TRY_ALLOC(arena_new(), error);
    /* The builder outlives the call, and the caller's options need not. */
    const kith_column_spec *from = b->options.columns;
    kith_column_spec *own = TRY_ARRAY(own, b->memory, b->options.n_columns, error);
    for (size_t i = 0; i < b->options.n_columns; i++) {
        own[i] = from[i];
        own[i].name = TRY_ALLOC(arena_strdup(b->memory, from[i].name), error);
        if (from[i].date_format == NULL)
            continue;
        own[i].date_format = TRY_ALLOC(arena_strdup(b->memory, from[i].date_format), error);
    }
    b->options.columns = own;
    TRY(copy_missing(b, error));
    b->options.csv = NULL;
    b->cells = TRY_ZEROS(b->cells, b->memory, b->options.n_columns, error);
    return table_builder_new(&b->inside, b->memory, TABLE_IN_MEMORY, b->options.columns,
                             b->options.n_columns, &b->options, error);
}

kith_status kith_table_builder_new(kith_table_builder **builder, const kith_table_options *options,
                                   kith_error *error)
{
    kith_table_options own;
    *builder = NULL;
    TRY(table_take_options(&own, options, error));
    if (own.columns == NULL)
        return error_set(error, KITH_INVALID, "a table from memory needs named columns");
    kith_table_builder *b = TRY_ALLOC(calloc(1, sizeof *b), error);
    b->options = own;
    kith_status status = table_builder_api_begin(b, error);
    if (status == KITH_OK)
        *builder = b;
    else
        kith_table_builder_free(b);
    return status;
}

void kith_table_builder_free(kith_table_builder *builder)
{
    if (builder == NULL)
        return;
    arena_free(builder->memory);
    free(builder);
}

static kith_status check_usable(const kith_table_builder *b, kith_error *error)
{
    if (b->memory != NULL && !b->broken)
        return KITH_OK;
    return error_set(error, KITH_INVALID, "the table builder %s: it can only be freed",
                     b->memory == NULL ? "has made its table" : "has failed before");
}

/* Checks what both ways to add cells have in common, and makes room for them. */
static kith_status table_builder_api_prepare(kith_table_builder *b, size_t which, size_t count,
                                             kith_error *error)
{
    TRY(check_usable(b, error));
    if (which >= b->options.n_columns)
        return error_set(error, KITH_INVALID, "there is no column %zu", which);
    if (count > UINT32_MAX)
        return error_set(error, KITH_DATA, "%zu rows are too many", count);
    kith_status status = table_builder_reserve(b->inside, b->cells[which] + count, error);
    b->broken = status != KITH_OK;
    return status;
}

/* Rows count from 1 in messages. */
static kith_status added(kith_table_builder *b, size_t which, size_t count, size_t wrong,
                         kith_status status, kith_error *error)
{
    const size_t first = b->cells[which];
    if (status == KITH_OK) {
        b->cells[which] += count;
        return KITH_OK;
    }
    b->broken = true;
    return source_at_row(TABLE_IN_MEMORY, first + wrong + 1, status, error);
}

kith_status kith_table_builder_add_texts(kith_table_builder *builder, size_t which,
                                         const char *const *texts, const size_t *lengths,
                                         size_t n_texts, kith_error *error)
{
    size_t wrong = 0;
    TRY(table_builder_api_prepare(builder, which, n_texts, error));
    const table_builder_piece piece = {texts, lengths, n_texts};
    kith_status status =
        table_builder_texts(builder->inside, which, builder->cells[which], &piece, &wrong, error);
    return added(builder, which, n_texts, wrong, status, error);
}

kith_status kith_table_builder_add_codes(kith_table_builder *builder, size_t which,
                                         const uint32_t *codes, size_t n_codes,
                                         const char *const *values, const size_t *lengths,
                                         size_t n_values, kith_error *error)
{
    size_t wrong = 0;
    TRY(table_builder_api_prepare(builder, which, n_codes, error));
    const table_builder_piece texts = {values, lengths, n_values};
    kith_status status = table_builder_codes(builder->inside, which, builder->cells[which], &texts,
                                             codes, n_codes, &wrong, error);
    return added(builder, which, n_codes, wrong, status, error);
}

kith_status kith_table_builder_finish(kith_table **table, kith_table_builder *builder,
                                      kith_error *error)
{
    kith_table_builder *b = builder;
    *table = NULL;
    TRY(check_usable(b, error));
    const size_t n_rows = b->options.n_columns == 0 ? 0 : b->cells[0];
    for (size_t i = 1; i < b->options.n_columns; i++)
        if (b->cells[i] != n_rows)
            return error_set(error, KITH_INVALID, "column %s has %zu cells, column %s has %zu",
                             b->options.columns[0].name, n_rows, b->options.columns[i].name,
                             b->cells[i]);
    table_builder_rows(b->inside, n_rows);
    kith_status status = table_builder_finish(b->inside, table, error);
    b->broken = status != KITH_OK;
    if (status == KITH_OK)
        b->memory = NULL;
    return status;
}
