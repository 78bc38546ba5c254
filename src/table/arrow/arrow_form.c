#include "table/arrow/arrow_form.h"

#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "table/database/sql.h"

enum { FIXED_DIGITS = 38 }; /* of a decimal of 128 bits */

/* As an integer of the type, written as databases print it. */
static kith_status try_integers(arrow_form *form, arena *memory, kith_error *error)
{
    const dictionary *d = form->values;
    int64_t *values = TRY_ARRAY(values, memory, d->count, error);
    if (!sql_numbers_plain(d, false))
        return KITH_OK;
    for (uint32_t i = 0; i < d->count; i++)
        if (!text_integer(dictionary_text(d, i), dictionary_length(d, i), &values[i]))
            return KITH_OK;
    form->integers = values;
    form->kind = ARROW_FORM_INTEGER;
    form->format = "l";
    return KITH_OK;
}

static kith_status try_decimals(arrow_form *form, arena *memory, kith_error *error)
{
    const dictionary *d = form->values;
    double *values = TRY_ARRAY(values, memory, d->count, error);
    for (uint32_t i = 0; i < d->count; i++) {
        char back[32];
        if (!text_decimal(dictionary_text(d, i), dictionary_length(d, i), &values[i]))
            return KITH_OK;
        text_format_decimal(back, values[i]);
        if (strcmp(back, dictionary_text(d, i)) != 0)
            return KITH_OK;
    }
    form->decimals = values;
    form->kind = ARROW_FORM_DECIMAL;
    form->format = "g";
    return KITH_OK;
}

/* Reads a number that databases print, with exactly `scale` digits behind the point; counts its
 * digits, leading zeros of 0.05 included. */
static bool read_fixed(const char *text, size_t scale, __int128 *value, size_t *n_digits)
{
    const bool negative = text[0] == '-';
    const char *point = strchr(text, '.');
    if (point == NULL || strlen(point + 1) != scale)
        return false;
    *n_digits = strlen(text) - negative - 1;
    if (*n_digits > FIXED_DIGITS)
        return false;
    __int128 number = 0;
    for (const char *at = text + negative; *at != '\0'; at++)
        if (at != point)
            number = number * 10 + (*at - '0');
    *value = negative ? -number : number;
    return true;
}

/* Amounts such as 1.50 would lose a zero as a double. */
static kith_status try_fixed(arrow_form *form, arena *memory, kith_error *error)
{
    const dictionary *d = form->values;
    __int128 *values = TRY_ARRAY(values, memory, d->count, error);
    const char *point = d->count == 0 ? NULL : strchr(dictionary_text(d, 0), '.');
    if (point == NULL || !sql_numbers_plain(d, true))
        return KITH_OK;
    const size_t scale = strlen(point + 1);
    size_t most = 1;
    for (uint32_t i = 0; i < d->count; i++) {
        size_t n_digits;
        if (!read_fixed(dictionary_text(d, i), scale, &values[i], &n_digits))
            return KITH_OK;
        most = n_digits > most ? n_digits : most;
    }
    form->format = TRY_ALLOC(arena_printf(memory, "d:%zu,%zu", most, scale), error);
    form->fixed = values;
    form->kind = ARROW_FORM_FIXED;
    return KITH_OK;
}

static kith_status try_dates(arrow_form *form, arena *memory, kith_error *error)
{
    const dictionary *d = form->values;
    int32_t *values = TRY_ARRAY(values, memory, d->count, error);
    for (uint32_t i = 0; i < d->count; i++) {
        int64_t day;
        if (!text_date(dictionary_text(d, i), dictionary_length(d, i), &day))
            return KITH_OK;
        values[i] = (int32_t)day;
    }
    form->days = values;
    form->kind = ARROW_FORM_DATE;
    form->format = "tdD";
    return KITH_OK;
}

/* Texts without the NULs of the table, and their offsets. */
static kith_status make_dictionary(arrow_form *form, arena *memory, kith_error *error)
{
    const dictionary *d = form->values;
    const uint64_t bytes = d->offsets[d->count] - d->count;
    form->large = bytes > INT32_MAX;
    char *texts = TRY_ALLOC(arena_alloc(memory, bytes), error);
    const size_t width = form->large ? sizeof(int64_t) : sizeof(int32_t);
    void *offsets = TRY_ALLOC(arena_zalloc(memory, (size_t)d->count + 1, width), error);
    for (uint32_t i = 0; i < d->count; i++) {
        const uint64_t begin = d->offsets[i] - i, end = d->offsets[i + 1] - i - 1;
        memcpy(texts + begin, dictionary_text(d, i), end - begin);
        if (form->large)
            ((int64_t *)offsets)[i + 1] = (int64_t)end;
        else
            ((int32_t *)offsets)[i + 1] = (int32_t)end;
    }
    form->offsets = offsets;
    form->texts = texts;
    form->kind = ARROW_FORM_DICTIONARY;
    form->format = "i";
    form->values_format = form->large ? "U" : "u";
    return KITH_OK;
}

kith_status arrow_form_of(arrow_form *form, arena *memory, const dictionary *values, kith_type type,
                          const kith_arrow_options *options, kith_error *error)
{
    *form = (arrow_form){.kind = ARROW_FORM_TEXT, .values = values};
    const bool number = type == KITH_TYPE_INTEGER || type == KITH_TYPE_DECIMAL;
    if (!options->all_texts && type == KITH_TYPE_INTEGER)
        TRY(try_integers(form, memory, error));
    /* Means of integers need not be integers. */
    if (!options->all_texts && number && form->kind == ARROW_FORM_TEXT)
        TRY(try_decimals(form, memory, error));
    if (!options->all_texts && type == KITH_TYPE_DECIMAL && form->kind == ARROW_FORM_TEXT)
        TRY(try_fixed(form, memory, error));
    if (!options->all_texts && type == KITH_TYPE_DATE)
        TRY(try_dates(form, memory, error));
    if (form->kind != ARROW_FORM_TEXT)
        return KITH_OK;
    if (!options->no_dictionary && values->count <= INT32_MAX)
        return make_dictionary(form, memory, error);
    uint64_t longest = 0;
    for (uint32_t i = 0; i < values->count; i++)
        longest = dictionary_length(values, i) > longest ? dictionary_length(values, i) : longest;
    /* Could the texts of one batch be more than int32 offsets reach? */
    form->large = longest > 0 && options->batch_rows > INT32_MAX / longest;
    form->format = form->large ? "U" : "u";
    return KITH_OK;
}
