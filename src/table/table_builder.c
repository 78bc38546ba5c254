#include "table/table_builder.h"

#include <locale.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "table/intern.h"
#include "table/dictionary_sort.h"
#include "table/memory_budget.h"
#include "table/text_feed.h"
#include "table/typed_value.h"

/* Invariants: rows 0 … n_rows-1 have their provisional codes (the order of first sight), row
 * `n_rows` is being filled, and all columns have room for it. Whether a text is well-formed,
 * missing or of the right type is decided when it is first seen; a missing one keeps its
 * provisional code, listed in `missing`, until the end. */
typedef struct column_builder {
    const char *name;
    kith_type type;
    const char *date_format;
    intern texts;
    uint32_t *codes;
    int64_t *whole;  /* of each text, for integers and dates */
    double *decimal; /* of each text, for decimals */
    size_t values_room;
    uint32_t *missing; /* ascending */
    size_t n_missing;
} column_builder;

struct table_builder {
    arena *memory;
    const char *source;
    const kith_table_options *options;
    locale_t c_locale;
    memory_budget budget;
    uint32_t n_rows;
    size_t rows_room;
    size_t count;
    column_builder *columns;
};

enum { FIRST_ROWS = 256, QUOTE_BYTES = 120, EXPECTED_BYTES = 80 };

static void free_locale(void *object)
{
    freelocale((locale_t)object);
}

/* Month names in dates are those of the C locale, whatever the program's locale is. */
static kith_status open_locale(table_builder *b, kith_error *error)
{
    b->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (b->c_locale == (locale_t)0 || !arena_defer(b->memory, free_locale, b->c_locale))
        return error_nomem(error);
    return KITH_OK;
}

/* The codes are written to the arena that will own the table, and stay there when it is
 * finished. */
static kith_status begin_column(table_builder *b, column_builder *c, const kith_column_spec *spec,
                                kith_error *error)
{
    c->type = spec->type;
    c->date_format = spec->date_format;
    c->name = TRY_ALLOC(arena_strdup(b->memory, spec->name), error);
    /* Without a list only the empty text is missing. */
    size_t n_missing = b->options->missing_values == NULL ? 1 : b->options->n_missing_values;
    c->missing = TRY_ALLOC(arena_array(b->memory, n_missing, sizeof *c->missing), error);
    c->codes = TRY_ALLOC(arena_array(b->memory, b->rows_room, sizeof *c->codes), error);
    if (c->type == KITH_TYPE_DATE && c->date_format != NULL && b->c_locale == (locale_t)0)
        TRY(open_locale(b, error));
    return intern_init(&c->texts, b->memory, &b->budget, error);
}

kith_status table_builder_new(table_builder **result, arena *memory, const char *source,
                              const kith_column_spec *columns, size_t count,
                              const kith_table_options *options, kith_error *error)
{
    if (count >= UINT32_MAX)
        return error_set(error, KITH_DATA, "%s: too many columns", source);
    table_builder *b = TRY_ALLOC(arena_zalloc(memory, 1, sizeof *b), error);
    b->memory = memory;
    b->options = options;
    b->count = count;
    b->rows_room = FIRST_ROWS;
    b->source = TRY_ALLOC(arena_strdup(memory, source), error);
    b->columns = TRY_ALLOC(arena_zalloc(memory, count, sizeof *b->columns), error);
    memory_budget_init(&b->budget, b->source, &b->n_rows);
    for (size_t i = 0; i < count; i++)
        TRY(begin_column(b, &b->columns[i], &columns[i], error));
    *result = b;
    return KITH_OK;
}

/* Asked once for each distinct text, therefore a linear search will do. */
static bool means_missing(const kith_table_options *options, const char *text, size_t length)
{
    if (options->missing_values == NULL)
        return length == 0;
    for (size_t i = 0; i < options->n_missing_values; i++) {
        const char *missing = options->missing_values[i];
        if (strlen(missing) == length && memcmp(missing, text, length) == 0)
            return true;
    }
    return false;
}

/* The source adds file, line and column to this message. */
static kith_status not_a(const column_builder *c, const char *text, size_t length, const char *what,
                         kith_error *error)
{
    char quoted[QUOTE_BYTES];
    text_quote(quoted, sizeof quoted, text, length);
    return error_set(error, KITH_DATA, "'%s' is not %s (column %s)", quoted, what, c->name);
}

/* NUL bytes are valid UTF-8, but C strings end there. */
static kith_status well_formed(const column_builder *c, const char *text, size_t length,
                               kith_error *error)
{
    size_t bad = text_utf8_error(text, length);
    if (bad < length) {
        not_a(c, text, length, "valid UTF-8", error);
        return error_hint(error, KITH_DATA, TEXT_FEED_HINT);
    }
    if (memchr(text, '\0', length) != NULL)
        return not_a(c, text, length, "text: it contains a NUL byte", error);
    return KITH_OK;
}

/* Parses the value of the next code to be given; a missing text gets 0. */
static kith_status store_value(table_builder *b, column_builder *c, const char *text, size_t length,
                               bool missing, kith_error *error)
{
    size_t next = c->texts.count;
    if (c->type == KITH_TYPE_DECIMAL)
        TRY(intern_grow(b->memory, &b->budget, &c->decimal, &c->values_room, next + 1,
                        sizeof *c->decimal, error));
    else if (c->type != KITH_TYPE_STRING)
        TRY(intern_grow(b->memory, &b->budget, &c->whole, &c->values_room, next + 1,
                        sizeof *c->whole, error));
    int64_t whole = 0;
    double decimal = 0;
    if (!missing &&
        !typed_value_parse(c->type, c->date_format, b->c_locale, text, length, &whole, &decimal)) {
        char expected[EXPECTED_BYTES];
        typed_value_expected(expected, sizeof expected, c->type, c->date_format);
        not_a(c, text, length, expected, error);
        if (c->type != KITH_TYPE_DATE && c->date_format == NULL &&
            memchr(text, ',', length) != NULL)
            error_hint(error, KITH_DATA, "numbers such as 1.234,50 need decimal: comma");
        return KITH_DATA;
    }
    if (c->decimal != NULL)
        c->decimal[next] = decimal;
    if (c->whole != NULL)
        c->whole[next] = whole;
    return KITH_OK;
}

/* A text that has not been seen in this column: checks it, parses its value, and gives it the next
 * code. A column with few distinct values is parsed a few times, not once for each row. */
static kith_status first_sight(table_builder *b, column_builder *c, const char *text, size_t length,
                               const intern_key *key, kith_error *error)
{
    TRY(well_formed(c, text, length, error));
    bool missing = means_missing(b->options, text, length);
    TRY(store_value(b, c, text, length, missing, error));
    if (missing)
        c->missing[c->n_missing++] = c->texts.count;
    return intern_add_key(&c->texts, text, length, key, error);
}

kith_status table_builder_cell(table_builder *b, size_t which, const char *text, size_t length,
                               kith_error *error)
{
    column_builder *c = &b->columns[which];
    ASSERT(which < b->count && b->n_rows < b->rows_room);
    intern_key key;
    uint32_t code = TABLE_MISSING;
    if (b->options->trim && text != NULL)
        typed_value_trim(&text, &length);
    if (text != NULL) {
        intern_prepare(&c->texts, text, length, &key);
        code = intern_find_key(&c->texts, text, length, &key);
        if (code == INTERN_NONE) {
            code = c->texts.count;
            TRY(first_sight(b, c, text, length, &key, error));
        }
    }
    c->codes[b->n_rows] = code;
    return KITH_OK;
}

kith_status table_builder_cells(table_builder *b, size_t which, const char **texts, size_t *lengths,
                                size_t count, kith_error *error)
{
    column_builder *c = &b->columns[which];
    ASSERT(which < b->count && count <= BUILDER_BATCH && b->n_rows + count <= b->rows_room);
    uint32_t *codes = c->codes + b->n_rows;
    intern_key keys[BUILDER_BATCH];
    for (size_t i = 0; b->options->trim && i < count; i++)
        if (texts[i] != NULL)
            typed_value_trim(&texts[i], &lengths[i]);
    intern_prepare_many(&c->texts, texts, lengths, count, keys);
    for (size_t i = 0;; i++) {
        i = intern_find_many(&c->texts, texts, lengths, keys, i, count, codes);
        if (i == count)
            return KITH_OK;
        codes[i] = c->texts.count;
        TRY(first_sight(b, c, texts[i], lengths[i], &keys[i], error));
    }
}

/* Grows all columns at once, by half. */
static kith_status more_rows(table_builder *b, kith_error *error)
{
    size_t wider = b->rows_room + b->rows_room / 2;
    size_t old_bytes = b->rows_room * sizeof(uint32_t), new_bytes = wider * sizeof(uint32_t);
    TRY(memory_budget_take(&b->budget, (new_bytes - old_bytes) * b->count, error));
    for (size_t i = 0; i < b->count; i++) {
        uint32_t *codes = arena_resize(b->memory, b->columns[i].codes, old_bytes, new_bytes);
        if (codes == NULL)
            return memory_budget_refuse(&b->budget, new_bytes, error);
        b->columns[i].codes = codes;
    }
    b->rows_room = wider;
    return KITH_OK;
}

kith_status table_builder_reserve(table_builder *b, size_t count, kith_error *error)
{
    if (b->n_rows + count > UINT32_MAX - 1)
        return error_set(error, KITH_DATA, "%s: more than %u rows", b->source, UINT32_MAX - 1);
    while (b->n_rows + count > b->rows_room)
        TRY(more_rows(b, error));
    return KITH_OK;
}

void table_builder_rows(table_builder *b, size_t count)
{
    ASSERT(b->n_rows + count <= b->rows_room);
    b->n_rows += (uint32_t)count;
}

kith_status table_builder_row(table_builder *b, kith_error *error)
{
    TRY(table_builder_reserve(b, 2, error)); /* this one, and the next one to be filled */
    b->n_rows++;
    return KITH_OK;
}

/* What a value is sorted by, as an unsigned number; strings are sorted by their texts instead. */
static uint64_t key_of(const column_builder *c, uint32_t code)
{
    return c->type == KITH_TYPE_STRING    ? 0
           : c->type == KITH_TYPE_DECIMAL ? dictionary_sort_key_decimal(c->decimal[code])
                                          : dictionary_sort_key_whole(c->whole[code]);
}

/* Lists the codes that stay, in order; `*count` of them. */
static kith_status sorted_codes(table_builder *b, const column_builder *c, arena *scratch,
                                dictionary_sort_item **items, size_t *count, kith_error *error)
{
    size_t all = c->texts.count;
    TRY(memory_budget_take(&b->budget, 2 * all * sizeof **items, error));
    *items = arena_array(scratch, all, sizeof **items);
    dictionary_sort_item *spare = arena_array(scratch, all, sizeof *spare);
    if (*items == NULL || spare == NULL)
        return memory_budget_refuse(&b->budget, 2 * all * sizeof **items, error);
    *count = 0;
    for (uint32_t code = 0, m = 0; code < all; code++) {
        if (m < c->n_missing && c->missing[m] == code)
            m++;
        else
            (*items)[(*count)++] = (dictionary_sort_item){.key = key_of(c, code), .code = code};
    }
    if (c->type == KITH_TYPE_STRING)
        dictionary_sort_by_text(*items, spare, *count, &c->texts);
    else
        dictionary_sort_by_key(*items, spare, *count, &c->texts);
    arena_release(scratch, spare, all * sizeof *spare);
    memory_budget_give_back(&b->budget, all * sizeof *spare);
    return KITH_OK;
}

/* `map` leads from provisional codes to places in the dictionary. */
static void map_codes(const column_builder *c, const dictionary_sort_item *items, uint32_t count,
                      uint32_t *map)
{
    memset(map, 0xff, c->texts.count * sizeof *map); /* TABLE_MISSING */
    for (uint32_t i = 0; i < count; i++)
        map[items[i].code] = i;
}

/* The dictionary's own copy of its texts, in their order: what missing texts took is not kept. */
static kith_status copy_texts(table_builder *b, const column_builder *c,
                              const dictionary_sort_item *items, uint32_t count, dictionary *d,
                              kith_error *error)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < count; i++)
        bytes += intern_length(&c->texts, items[i].code) + 1;
    TRY(memory_budget_take(&b->budget, bytes + ((size_t)count + 1) * sizeof(uint64_t), error));
    char *texts = arena_alloc(b->memory, bytes);
    uint64_t *offsets = arena_array(b->memory, (size_t)count + 1, sizeof *offsets);
    if (texts == NULL || offsets == NULL)
        return memory_budget_refuse(&b->budget, bytes, error);
    uint64_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        size_t length = intern_length(&c->texts, items[i].code) + 1;
        offsets[i] = at;
        memcpy(texts + at, intern_text(&c->texts, items[i].code), length);
        at += length;
    }
    offsets[count] = at;
    *d = (dictionary){.count = count,
                      .offsets = offsets,
                      .bytes = texts,
                      .type = c->type,
                      .mark = typed_value_mark(c->type, c->date_format)};
    return KITH_OK;
}

/* Numbers and dates of the dictionary, in its order. Both kinds have eight bytes. */
static kith_status copy_values(table_builder *b, column_builder *c,
                               const dictionary_sort_item *items, dictionary *d, kith_error *error)
{
    int64_t *whole = NULL;
    double *decimal = NULL;
    if (c->type == KITH_TYPE_STRING)
        return KITH_OK;
    TRY(memory_budget_take(&b->budget, (uint64_t)d->count * 8, error));
    if (c->type == KITH_TYPE_DECIMAL)
        d->decimal = decimal = arena_array(b->memory, d->count, sizeof *decimal);
    else
        d->whole = whole = arena_array(b->memory, d->count, sizeof *whole);
    if (whole == NULL && decimal == NULL)
        return memory_budget_refuse(&b->budget, (uint64_t)d->count * 8, error);
    for (uint32_t i = 0; i < d->count; i++)
        if (whole != NULL)
            whole[i] = c->whole[items[i].code];
        else
            decimal[i] = c->decimal[items[i].code];
    arena_release(b->memory, whole != NULL ? (void *)c->whole : c->decimal, c->values_room * 8);
    memory_budget_give_back(&b->budget, c->values_room * 8);
    return KITH_OK;
}

/* Sorts the values of a column and replaces provisional codes by final ones. What is no longer
 * needed is given back step by step, because this is where memory peaks. */
static kith_status finish_column(table_builder *b, column_builder *c, arena *scratch,
                                 column *result, kith_error *error)
{
    dictionary_sort_item *items;
    size_t kept = 0, all = c->texts.count;
    intern_forget(&c->texts);
    TRY(sorted_codes(b, c, scratch, &items, &kept, error));
    TRY(memory_budget_take(&b->budget, all * sizeof(uint32_t), error));
    uint32_t *map = arena_array(scratch, all, sizeof *map);
    if (map == NULL)
        return memory_budget_refuse(&b->budget, all * sizeof *map, error);
    map_codes(c, items, (uint32_t)kept, map);
    TRY(copy_texts(b, c, items, (uint32_t)kept, &result->values, error));
    intern_release(&c->texts);
    TRY(copy_values(b, c, items, &result->values, error));
    for (uint32_t row = 0; row < b->n_rows; row++)
        if (c->codes[row] != TABLE_MISSING)
            c->codes[row] = map[c->codes[row]];
    arena_release(scratch, items, all * sizeof *items);
    arena_release(scratch, map, all * sizeof *map);
    memory_budget_give_back(&b->budget, all * (sizeof *items + sizeof *map));
    result->name = c->name;
    result->codes = arena_resize(b->memory, c->codes, b->rows_room * sizeof *c->codes,
                                 b->n_rows * sizeof *c->codes);
    return result->codes == NULL ? memory_budget_refuse(&b->budget, b->n_rows * 4, error) : KITH_OK;
}

static kith_status finish_columns(table_builder *b, arena *scratch, kith_table *table,
                                  kith_error *error)
{
    for (size_t i = 0; i < b->count; i++)
        TRY(finish_column(b, &b->columns[i], scratch, &table->columns[i], error));
    for (uint32_t i = 0; i < table->n_columns; i++)
        table->columns[i].place = i;
    return KITH_OK;
}

kith_status table_builder_finish(table_builder *b, kith_table **result, kith_error *error)
{
    kith_table *table = TRY_ALLOC(arena_zalloc(b->memory, 1, sizeof *table), error);
    table->memory = b->memory;
    table->source = b->source;
    table->n_rows = b->n_rows;
    table->n_columns = (uint32_t)b->count;
    table->columns = arena_zalloc(b->memory, b->count, sizeof *table->columns);
    arena *scratch = TRY_ALLOC(table->columns == NULL ? NULL : arena_new(), error);
    kith_status status = finish_columns(b, scratch, table, error);
    arena_free(scratch);
    TRY(status);
    CHECK(table_check(table));
    *result = table;
    return KITH_OK;
}
