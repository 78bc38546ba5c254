#include "table/table.h"

#include <malloc.h>
#include <string.h>

#include "core/error.h"
#include "core/options.h"
#include "core/text.h"
#include "table/csv/csv_pieces.h"
#include "table/table_builder.h"
#include "table/source.h"
#include "table/typed_value.h"
#include "table/table_writer.h"

enum { MANY_CELLS = 100000 };

uint32_t table_find(const kith_table *table, const char *name)
{
    for (uint32_t i = 0; i < table->n_columns; i++)
        if (strcmp(table->columns[i].name, name) == 0)
            return i;
    return UINT32_MAX;
}

uint32_t dictionary_values(const dictionary *d, uint32_t *value_of)
{
    uint32_t n_values = 0;
    for (uint32_t code = 0; code < d->count; code++) {
        bool same = code > 0 && ((d->whole != NULL && d->whole[code] == d->whole[code - 1]) ||
                                 (d->decimal != NULL && d->decimal[code] == d->decimal[code - 1]));
        n_values += !same;
        value_of[code] = n_values - 1;
    }
    return n_values;
}

kith_status dictionary_of(dictionary *to, const dictionary *like, const dictionary_value *values,
                          uint32_t count, arena *memory, kith_error *error)
{
    size_t n_bytes = 1;
    for (uint32_t i = 0; i < count; i++)
        n_bytes += dictionary_length(values[i].from, values[i].code) + (size_t)1;
    char *bytes = TRY_ALLOC(arena_alloc(memory, n_bytes), error);
    uint64_t *offsets = TRY_ARRAY(offsets, memory, count + (size_t)1, error);
    int64_t *whole = TRY_ARRAY(whole, memory, count + (size_t)1, error);
    double *decimal = TRY_ARRAY(decimal, memory, count + (size_t)1, error);
    offsets[0] = 0;
    for (uint32_t i = 0; i < count; i++) {
        const dictionary *from = values[i].from;
        const uint32_t code = values[i].code;
        const size_t length = dictionary_length(from, code) + (size_t)1; /* with its NUL */
        memcpy(bytes + offsets[i], dictionary_text(from, code), length);
        offsets[i + 1] = offsets[i] + length;
        whole[i] = from->whole == NULL ? 0 : from->whole[code];
        decimal[i] = from->decimal == NULL ? 0 : from->decimal[code];
    }
    *to = *like;
    to->count = count;
    to->offsets = offsets;
    to->bytes = bytes;
    to->whole = like->whole == NULL ? NULL : whole;
    to->decimal = like->decimal == NULL ? NULL : decimal;
    return KITH_OK;
}

/* The order of a value that was looked up and of one in the dictionary. */
static int compare_value(const dictionary *d, uint32_t code, const char *text, int64_t whole,
                         double decimal)
{
    if (d->whole != NULL)
        return (whole > d->whole[code]) - (whole < d->whole[code]);
    if (d->decimal != NULL)
        return (decimal > d->decimal[code]) - (decimal < d->decimal[code]);
    return strcmp(text, dictionary_text(d, code));
}

uint32_t dictionary_find(const dictionary *d, const char *date_format, const char *text)
{
    int64_t whole = 0;
    double decimal = 0;
    const locale_t locale = text_c_locale();
    if (locale == (locale_t)0 ||
        !typed_value_parse(d->type, date_format, locale, text, strlen(text), &whole, &decimal))
        return UINT32_MAX;
    uint32_t low = 0, high = d->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (compare_value(d, middle, text, whole, decimal) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < d->count && compare_value(d, low, text, whole, decimal) == 0 ? low : UINT32_MAX;
}

kith_status table_copy(kith_table **copy, const kith_table *table, arena *memory, kith_error *error)
{
    kith_table *t = TRY_ALLOC(arena_alloc(memory, sizeof *t), error);
    *t = *table;
    t->memory = NULL; /* everything belongs to the caller's arena */
    t->owners = NULL;
    t->columns = TRY_ARRAY(t->columns, memory, table->n_columns, error);
    if (table->n_columns > 0)
        memcpy(t->columns, table->columns, table->n_columns * sizeof *t->columns);
    *copy = t;
    return KITH_OK;
}

kith_status table_room(kith_table *rows, const kith_table *like, uint32_t n_rows, arena *memory,
                       kith_error *error)
{
    *rows = *like;
    rows->memory = NULL; /* everything belongs to the caller's arena */
    rows->owners = NULL;
    rows->source_rows = NULL;
    rows->n_rows = n_rows;
    rows->columns = TRY_ARRAY(rows->columns, memory, like->n_columns, error);
    for (uint32_t i = 0; i < like->n_columns; i++) {
        rows->columns[i] = like->columns[i];
        rows->columns[i].codes = TRY_ARRAY(rows->columns[i].codes, memory, n_rows, error);
    }
    return KITH_OK;
}

uint64_t table_line(const kith_table *table, uint32_t row)
{
    if (table->separator == 0 || table->source == NULL || row >= table->n_rows)
        return 0;
    return csv_pieces_line(table, table_source_row(table, row));
}

table_piece table_piece_of(const kith_table *table, uint32_t row)
{
    size_t i = table->n_pieces;
    while (i > 0 && table->pieces[i - 1].first_row > row)
        i--;
    return i > 0 ? table->pieces[i - 1]
                 : (table_piece){.path = table->source, .end = UINT64_MAX, .line = 1};
}

const char *table_file(const kith_table *table, uint32_t row)
{
    if (row < table->n_rows)
        row = (uint32_t)table_source_row(table, row);
    return table_piece_of(table, row).path;
}

uint64_t table_source_line(const kith_table *table, uint32_t row)
{
    const bool other = table->n_pieces > 0 && strcmp(table_file(table, row), table->source) != 0;
    return other ? 0 : table_line(table, row);
}

#if KITH_DEBUG
static void check_dictionary(const dictionary *d)
{
    ASSERT(d->type != KITH_TYPE_DECIMAL || d->count == 0 || d->decimal != NULL);
    ASSERT(d->type == KITH_TYPE_STRING || d->type == KITH_TYPE_DECIMAL || d->count == 0 ||
           d->whole != NULL);
    for (uint32_t code = 0; code < d->count; code++) {
        ASSERT(strlen(dictionary_text(d, code)) == dictionary_length(d, code));
        if (code == 0)
            continue;
        if (d->type == KITH_TYPE_STRING)
            ASSERT(strcmp(dictionary_text(d, code - 1), dictionary_text(d, code)) < 0);
        else if (d->type == KITH_TYPE_DECIMAL)
            ASSERT(d->decimal[code - 1] <= d->decimal[code]);
        else
            ASSERT(d->whole[code - 1] <= d->whole[code]);
    }
}

void table_check(const kith_table *table)
{
    for (uint32_t i = 0; i < table->n_columns; i++) {
        const column *c = &table->columns[i];
        check_dictionary(&c->values);
        for (uint32_t row = 0; row < table->n_rows; row++)
            ASSERT(c->codes[row] < c->values.count || c->codes[row] == TABLE_MISSING);
    }
}
#endif

static void free_owned(void *table)
{
    kith_table_free(table);
}

kith_status table_own(kith_table *table, arena *memory, kith_error *error)
{
    return arena_defer(memory, free_owned, table) ? KITH_OK : error_nomem(error);
}

/* The hash tables are gone, but the C library keeps their pages for later: as much again as the
 * table itself. */
void table_return_pages(const kith_table *table)
{
#if defined(__GLIBC__)
    if ((uint64_t)table->n_rows * table->n_columns > MANY_CELLS)
        malloc_trim(0);
#else
    (void)table;
#endif
}

/* A column that is asked for twice would be two columns of one name. */
kith_status table_take_options(kith_table_options *options, const kith_table_options *theirs,
                               kith_error *error)
{
    TRY(OPTIONS_TAKE(kith_table_options, n_missing_values, options, theirs, error));
    for (size_t i = 0; i < options->n_columns && options->columns != NULL; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(options->columns[i].name, options->columns[k].name) == 0)
                return error_set(error, KITH_INVALID, "column %s is wanted twice",
                                 options->columns[i].name);
    return KITH_OK;
}

static kith_status read_whole(const source *s, void *user, kith_table **table, kith_error *error)
{
    (void)user;
    return source_read_whole(s, table, error);
}

kith_status kith_table_read(kith_table **table, const char *uri, const kith_table_options *options,
                            const kith_run *run, kith_error *error)
{
    return source_read(table, uri, options, run, read_whole, NULL, error);
}

/* Rows count from 1 in messages. */
static kith_status from_cells(kith_table **table, arena *memory, const char *const *cells,
                              size_t n_rows, const kith_table_options *options, kith_error *error)
{
    table_builder *b;
    TRY(table_builder_new(&b, memory, TABLE_IN_MEMORY, options->columns, options->n_columns,
                          options, error));
    for (size_t row = 0; row < n_rows; row++) {
        for (size_t i = 0; i < options->n_columns; i++, cells++) {
            const size_t length = *cells == NULL ? 0 : strlen(*cells);
            kith_status status = table_builder_cell(b, i, *cells, length, error);
            TRY(source_at_row(TABLE_IN_MEMORY, row + 1, status, error));
        }
        TRY(table_builder_row(b, error));
    }
    return table_builder_finish(b, table, error);
}

kith_status kith_table_from_cells(kith_table **table, const char *const *cells, size_t n_rows,
                                  const kith_table_options *options, kith_error *error)
{
    kith_table_options own;
    *table = NULL;
    TRY(table_take_options(&own, options, error));
    if (own.columns == NULL)
        return error_set(error, KITH_INVALID, "a table from memory needs named columns");
    arena *memory = TRY_ALLOC(arena_new(), error);
    kith_status status = from_cells(table, memory, cells, n_rows, &own, error);
    if (status != KITH_OK) {
        arena_free(memory);
        *table = NULL;
    }
    return status;
}

kith_table *table_share(const kith_table *table)
{
    ASSERT(table->owners != NULL);
    atomic_fetch_add(table->owners, 1);
    return (kith_table *)table;
}

void kith_table_free(kith_table *table)
{
    if (table != NULL && table->owners != NULL && atomic_fetch_sub(table->owners, 1) == 1)
        arena_free(table->memory);
}

size_t kith_table_n_rows(const kith_table *table)
{
    return table->n_rows;
}

size_t kith_table_n_columns(const kith_table *table)
{
    return table->n_columns;
}

const char *kith_table_column_name(const kith_table *table, size_t which)
{
    return which < table->n_columns ? table->columns[which].name : NULL;
}

const char *kith_table_cell(const kith_table *table, size_t row, size_t which)
{
    if (row >= table->n_rows || which >= table->n_columns)
        return NULL;
    uint32_t code = table->columns[which].codes[row];
    return code == TABLE_MISSING ? NULL : dictionary_text(&table->columns[which].values, code);
}

size_t kith_table_n_values(const kith_table *table, size_t which)
{
    return which < table->n_columns ? table->columns[which].values.count : 0;
}

const char *kith_table_value(const kith_table *table, size_t which, size_t code)
{
    if (code >= kith_table_n_values(table, which))
        return NULL;
    return dictionary_text(&table->columns[which].values, (uint32_t)code);
}

const uint32_t *kith_table_codes(const kith_table *table, size_t which)
{
    return which < table->n_columns ? table->columns[which].codes : NULL;
}

static kith_status table_write_rows(const kith_table *table, arena *memory, const char *uri,
                                    char separator, bool overwrite, kith_error *error)
{
    table_writer *w;
    CHECK(table_check(table));
    const char **names = TRY_ARRAY(names, memory, table->n_columns, error);
    for (uint32_t i = 0; i < table->n_columns; i++)
        names[i] = table->columns[i].name;
    if (separator == 0)
        separator = table->separator; /* as it was read */
    TRY(table_writer_open_whole(&w, memory, uri, separator, overwrite, names, NULL, table,
                                table->n_columns, NULL, error));
    TRY(table_writer_rows(w, table, memory, error));
    return table_writer_commit(w, error);
}

kith_status kith_table_write(const kith_table *table, const char *uri,
                             const kith_write_options *options, kith_error *error)
{
    kith_write_options own;
    TRY(OPTIONS_TAKE(kith_write_options, overwrite, &own, options, error));
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    return table_write_rows(table, memory, uri, own.separator, own.overwrite, error);
}
