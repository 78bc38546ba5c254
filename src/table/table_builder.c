#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "table/table_builder_internal.h"
#include "table/text_feed.h"
#include "table/typed_value.h"

enum { FIRST_ROWS = 256, QUOTE_BYTES = 120, EXPECTED_BYTES = 80 };

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
    c->missing = TRY_ARRAY(c->missing, b->memory, n_missing, error);
    c->codes = TRY_ARRAY(c->codes, b->memory, b->rows_room, error);
    if (c->type == KITH_TYPE_DATE && c->date_format != NULL) {
        b->c_locale = text_c_locale(); /* of the names of months, whatever the program's is */
        if (b->c_locale == (locale_t)0)
            return error_nomem(error);
    }
    return intern_init(&c->texts, b->memory, &b->budget, error);
}

kith_status table_builder_new(table_builder **result, arena *memory, const char *source,
                              const kith_column_spec *columns, size_t count,
                              const kith_table_options *options, kith_error *error)
{
    if (count >= UINT32_MAX)
        return error_set(error, KITH_DATA, "%s: too many columns", source);
    table_builder *b = TRY_ZEROS(b, memory, 1, error);
    b->memory = memory;
    b->options = options;
    b->count = count;
    b->rows_room = FIRST_ROWS;
    b->source = TRY_ALLOC(arena_strdup(memory, source), error);
    b->columns = TRY_ZEROS(b->columns, memory, count, error);
    memory_budget_init(&b->budget, b->source, &b->n_rows);
    for (size_t i = 0; i < count; i++)
        TRY(begin_column(b, &b->columns[i], &columns[i], error));
    *result = b;
    return KITH_OK;
}

/* Called once for each distinct text, so a linear search is fast enough. */
bool table_builder_means_missing(const kith_table_options *options, const char *text, size_t length)
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
static kith_status well_formed(const table_builder *b, const column_builder *c, const char *text,
                               size_t length, kith_error *error)
{
    const bool in_memory = strcmp(b->source, TABLE_IN_MEMORY) == 0;
    size_t bad = text_utf8_error(text, length);
    if (bad < length) {
        not_a(c, text, length, "valid UTF-8", error);
        return in_memory ? KITH_DATA : error_hint(error, KITH_DATA, TEXT_FEED_HINT);
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
    TRY(well_formed(b, c, text, length, error));
    bool missing = table_builder_means_missing(b->options, text, length);
    TRY(store_value(b, c, text, length, missing, error));
    const uint32_t code = c->texts.count;
    TRY(intern_add_key(&c->texts, text, length, key, error));
    if (missing) /* once: a row for which there was no memory may come again */
        c->missing[c->n_missing++] = code;
    return KITH_OK;
}

/* The provisional code of a text, which may be new; NULL is missing. */
static kith_status table_builder_code_of(table_builder *b, column_builder *c, const char *text,
                                         size_t length, uint32_t *code, kith_error *error)
{
    intern_key key;
    *code = TABLE_MISSING;
    if (text == NULL)
        return KITH_OK;
    if (b->options->trim)
        typed_value_trim(&text, &length);
    intern_prepare(&c->texts, text, length, &key);
    *code = intern_find_key(&c->texts, text, length, &key);
    if (*code != INTERN_NONE)
        return KITH_OK;
    *code = c->texts.count;
    return first_sight(b, c, text, length, &key, error);
}

kith_status table_builder_cell(table_builder *b, size_t which, const char *text, size_t length,
                               kith_error *error)
{
    column_builder *c = &b->columns[which];
    ASSERT(which < b->count && b->n_rows < b->rows_room);
    return table_builder_code_of(b, c, text, length, &c->codes[b->n_rows], error);
}

kith_status table_builder_code(table_builder *b, size_t which, const char *text, size_t length,
                               uint32_t *code, kith_error *error)
{
    ASSERT(which < b->count);
    return table_builder_code_of(b, &b->columns[which], text, length, code, error);
}

bool table_builder_trims(const table_builder *b)
{
    return b->options->trim;
}

uint32_t *table_builder_next(table_builder *b, size_t which)
{
    ASSERT(which < b->count);
    return b->columns[which].codes + b->n_rows;
}

kith_status table_builder_cells(table_builder *b, size_t which, size_t skip, const char **texts,
                                size_t *lengths, size_t count, kith_error *error)
{
    column_builder *c = &b->columns[which];
    ASSERT(which < b->count && count <= BUILDER_BATCH && b->n_rows + skip + count <= b->rows_room);
    uint32_t *codes = c->codes + b->n_rows + skip;
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

/* Grows all columns at once, by half or to `needed` rows. */
static kith_status more_rows(table_builder *b, size_t needed, kith_error *error)
{
    size_t wider = b->rows_room + b->rows_room / 2;
    wider = wider > needed ? wider : needed;
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
    if (count > UINT32_MAX - 1 - b->n_rows)
        return error_set(error, KITH_DATA, "%s: more than %u rows", b->source, UINT32_MAX - 1);
    return b->n_rows + count > b->rows_room ? more_rows(b, b->n_rows + count, error) : KITH_OK;
}

void table_builder_rows(table_builder *b, size_t count)
{
    ASSERT(b->n_rows + count <= b->rows_room);
    b->n_rows += (uint32_t)count;
}

uint32_t table_builder_n_rows(const table_builder *b)
{
    return (uint32_t)(b->budget.earlier + b->n_rows);
}

kith_status table_builder_row(table_builder *b, kith_error *error)
{
    TRY(table_builder_reserve(b, 2, error)); /* this one, and the next one to be filled */
    b->n_rows++;
    return KITH_OK;
}

/* The provisional code of one text of a piece. */
static kith_status piece_code(table_builder *b, column_builder *c, const table_builder_piece *from,
                              size_t index, uint32_t *code, kith_error *error)
{
    const char *text = from->texts[index];
    size_t length = 0;
    if (text != NULL)
        length = from->lengths == NULL ? strlen(text) : from->lengths[index];
    return table_builder_code_of(b, c, text, length, code, error);
}

kith_status table_builder_texts(table_builder *b, size_t which, size_t first,
                                const table_builder_piece *piece, size_t *wrong, kith_error *error)
{
    column_builder *c = &b->columns[which];
    ASSERT(which < b->count && first + piece->count <= b->rows_room);
    for (*wrong = 0; *wrong < piece->count; ++*wrong)
        TRY(piece_code(b, c, piece, *wrong, &c->codes[first + *wrong], error));
    return KITH_OK;
}

kith_status table_builder_codes(table_builder *b, size_t which, size_t first,
                                const table_builder_piece *values, const uint32_t *codes,
                                size_t count, size_t *wrong, kith_error *error)
{
    column_builder *c = &b->columns[which];
    ASSERT(which < b->count && first + count <= b->rows_room);
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    uint32_t *known = TRY_ARRAY(known, scratch, values->count, error);
    memset(known, 0xff, values->count * sizeof *known);
    for (size_t i = 0; i < count; i++) {
        *wrong = i;
        /* A value gets its provisional code where a row has it first: one that no row has must not
         * reach the dictionary, from which hierarchies are made. known[] is INTERN_NONE for values
         * that have not been seen. */
        const uint32_t code = codes[i];
        uint32_t *to = &c->codes[first + i];
        *to = TABLE_MISSING;
        if (code != TABLE_MISSING) {
            if (code >= values->count)
                return error_set(error, KITH_DATA,
                                 "code %u of %zu values, which count from 0 (column %s)", code,
                                 values->count, c->name);
            if (known[code] == INTERN_NONE)
                TRY(piece_code(b, c, values, code, &known[code], error));
            *to = known[code];
        }
    }
    return KITH_OK;
}
