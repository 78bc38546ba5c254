#include "job/joint/unit_texts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "table/table_builder.h"
#include "table/typed_value.h"

enum { NUMBER = 40 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* What is compared of a text: into `to`, which has room for it. */
static size_t match_text(char *to, match_rule rule, const char *text, size_t length)
{
    size_t kept = 0;
    typed_value_trim(&text, &length);
    for (size_t i = 0; i < length; i++)
        if (rule != MATCH_DIGITS || is_digit(text[i]))
            to[kept++] = rule == MATCH_TRIM ? text[i] : lower(text[i]);
    return kept;
}

/* The same of value `code` of a dictionary. */
static size_t match_value(char *to, match_rule rule, const dictionary *values, uint32_t code)
{
    if (values->whole != NULL)
        return (size_t)snprintf(to, NUMBER, "%" PRId64, values->whole[code]);
    if (values->decimal == NULL)
        return match_text(to, rule, dictionary_text(values, code), dictionary_length(values, code));
    text_format_decimal(to, values->decimal[code]);
    return strlen(to);
}

static kith_status match_column(column *c, match_rule rule, uint32_t n_rows, arena *memory,
                                kith_error *error)
{
    const dictionary *values = &c->values;
    const kith_column_spec spec = {.name = c->name, .type = KITH_TYPE_STRING};
    static const char *const none[] = {""};
    const kith_table_options options =
        KITH_OPTIONS(kith_table_options, .missing_values = none, .n_missing_values = 1);
    table_builder *b;
    kith_table *texts;
    uint32_t longest = NUMBER;
    for (uint32_t code = 0; code < values->count; code++)
        if (dictionary_length(values, code) > longest)
            longest = dictionary_length(values, code);
    char *text = TRY_ARRAY(text, memory, longest, error);
    uint32_t *codes = TRY_ARRAY(codes, memory, n_rows, error);
    TRY(table_builder_new(&b, memory, "persons", &spec, 1, &options, error));
    for (uint32_t code = 0; code < values->count; code++) {
        const size_t length = match_value(text, rule, values, code);
        TRY(table_builder_cell(b, 0, text, length, error));
        TRY(table_builder_row(b, error));
    }
    TRY(table_builder_finish(b, &texts, error));
    for (uint32_t row = 0; row < n_rows; row++)
        codes[row] =
            c->codes[row] == TABLE_MISSING ? TABLE_MISSING : texts->columns[0].codes[c->codes[row]];
    c->values = texts->columns[0].values;
    c->codes = codes;
    return KITH_OK;
}

kith_status unit_texts_match(const kith_table **matched, const kith_study *study,
                             const kith_table *table, arena *memory, kith_error *error)
{
    kith_table *copy;
    TRY(table_copy(&copy, table, memory, error));
    for (uint32_t i = 0; i < study->n_unit; i++) {
        const char *name = study->columns[study->unit[i]].name;
        const uint32_t place = table_find(table, name);
        if (place == UINT32_MAX)
            return error_set(error, KITH_DATA, "%s has no column %s, which tells persons apart",
                             table->source, name);
        TRY(match_column(&copy->columns[place], study->joint.match, copy->n_rows, memory, error));
    }
    CHECK(table_check(copy));
    *matched = copy;
    return KITH_OK;
}
