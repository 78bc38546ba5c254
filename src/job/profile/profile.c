#include "job/profile/profile.h"

#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "job/profile/guess_format.h"
#include "job/profile/guess_type.h"
#include "job/profile/serial_numbers.h"

/* Codes such as zips have a fixed number of digits; two digits may as well be ages. */
static bool fixed_digits(const dictionary *d)
{
    for (uint32_t i = 0; i < d->count; i++) {
        uint32_t length = dictionary_length(d, i);
        if (length != dictionary_length(d, 0))
            return false;
        for (uint32_t j = 0; j < length; j++)
            if (dictionary_text(d, i)[j] < '0' || dictionary_text(d, i)[j] > '9')
                return false;
    }
    return d->count > 0 && dictionary_length(d, 0) >= 3;
}

/* The type of the values and how they are written; where they have none, what spoils it. */
static void look_at(column_profile *p, bool semicolons, locale_t c_locale)
{
    const dictionary *values = &p->column->values;
    p->distinct = values->count;
    p->fixed_digits = fixed_digits(values);
    p->type = guess_type(values);
    if (p->type != KITH_TYPE_STRING || values->count == 0 || p->fixed_digits)
        return;
    p->format = guess_format_date(values, &p->ambiguous);
    if (p->format != NULL) {
        p->type = KITH_TYPE_DATE;
        return;
    }
    p->format = guess_format_number(values, semicolons, &p->ambiguous);
    if (p->format != NULL)
        p->type = guess_format_whole(values, p->format) ? KITH_TYPE_INTEGER : KITH_TYPE_DECIMAL;
    else
        p->spoilers = spoilers_find(values, semicolons, c_locale);
}

/* How often values occur: the missing, the unique and the most frequent one. */
static kith_status count_values(column_profile *p, uint32_t n_rows, arena *memory,
                                kith_error *error)
{
    const column *c = p->column;
    uint32_t *count = TRY_ALLOC(arena_zalloc(memory, c->values.count, sizeof *count), error);
    for (uint32_t row = 0; row < n_rows; row++)
        if (c->codes[row] == TABLE_MISSING)
            p->missing++;
        else
            count[c->codes[row]]++;
    p->top = TABLE_MISSING;
    for (uint32_t i = 0; i < c->values.count; i++) {
        p->unique += count[i] == 1;
        if (count[i] > p->n_top) {
            p->top = i;
            p->n_top = count[i];
        }
    }
    for (uint32_t i = 0; i < p->spoilers.count; i++)
        p->spoilers.n_cells += count[p->spoilers.codes[i]];
    arena_release(memory, count, c->values.count * sizeof *count);
    return KITH_OK;
}

static kith_status profile_columns(column_profile *profiles, const kith_table *table,
                                   locale_t c_locale, context *c, kith_error *error)
{
    for (uint32_t i = 0; i < table->n_columns; i++) {
        column_profile *p = &profiles[i];
        p->column = &table->columns[i];
        look_at(p, table->separator == ';', c_locale);
        TRY(count_values(p, table->n_rows, c->memory, error));
        TRY(serial_numbers_look(&p->serial, p->column, table->n_rows, c->memory, error));
        profile_suggest(p, table->n_rows);
        if (!context_progress(c, "describe", (i + 1.0) / table->n_columns))
            return error_set(error, KITH_CANCELLED, "interrupted");
    }
    return KITH_OK;
}

kith_status profile_table(column_profile **profiles, const kith_table *table, context *c,
                          kith_error *error)
{
    *profiles = arena_zalloc(c->memory, table->n_columns, sizeof **profiles);
    TRY_ALLOC(*profiles, error);
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c_locale == (locale_t)0)
        return error_nomem(error);
    kith_status status = profile_columns(*profiles, table, c_locale, c, error);
    freelocale(c_locale);
    return status;
}

bool profile_header_is_data(const kith_table *table, const column_profile *profiles)
{
    if (table->separator == '\0' || table->no_header)
        return false; /* a database names its columns */
    for (uint32_t i = 0; i < table->n_columns; i++) {
        const char *name = table->columns[i].name;
        int64_t days;
        double value;
        size_t length = strlen(name);
        if (profiles[i].type == KITH_TYPE_DATE
                ? text_date(name, length, &days)
                : profiles[i].type != KITH_TYPE_STRING && text_decimal(name, length, &value))
            return true;
    }
    return false;
}

const char *profile_role_name(role which)
{
    static const char *const names[] = {
        [ROLE_IDENTIFYING] = "identifying",
        [ROLE_QUASI_IDENTIFYING] = "quasi-identifying",
        [ROLE_SENSITIVE] = "sensitive",
        [ROLE_INSENSITIVE] = "insensitive",
    };
    return names[which];
}
