#include "job/profile/profile.h"

#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "job/profile/guess_format.h"
#include "job/profile/guess_type.h"
#include "job/profile/serial_numbers.h"

/* The type of the values and how they are written; where they have none, what spoils it. */
static void look_at(column_profile *p, bool semicolons, locale_t c_locale)
{
    const dictionary *values = &p->column->values;
    p->distinct = values->count;
    p->digits = spoilers_digits(values, NULL);
    p->type = guess_type(values);
    if (p->type != KITH_TYPE_STRING || values->count == 0 || p->digits > 0)
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

kith_status profile_counts(uint32_t **counts, const column *c, uint32_t n_rows, arena *memory,
                           kith_error *error)
{
    *counts = arena_zalloc(memory, (size_t)c->values.count + 1, sizeof **counts);
    TRY_ALLOC(*counts, error);
    for (uint32_t row = 0; row < n_rows; row++)
        (*counts)[c->codes[row] == TABLE_MISSING ? c->values.count : c->codes[row]]++;
    return KITH_OK;
}

void profile_release(uint32_t *counts, const column *c, arena *memory)
{
    arena_release(memory, counts, ((size_t)c->values.count + 1) * sizeof *counts);
}

/* How often values occur: the missing, the unique and the most frequent one. */
static void look_at_counts(column_profile *p, const uint32_t *count)
{
    const column *c = p->column;
    p->missing = count[c->values.count];
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
}

kith_status profile_column(column_profile *p, const column *c, const uint32_t *counts,
                           uint32_t n_rows, bool semicolons, const serial_order *order,
                           arena *memory, kith_error *error)
{
    const locale_t c_locale = text_c_locale();
    if (c_locale == (locale_t)0)
        return error_nomem(error);
    *p = (column_profile){.column = c};
    look_at(p, semicolons, c_locale);
    look_at_counts(p, counts);
    TRY(serial_numbers_look(&p->serial, c, n_rows - p->missing, order, memory, error));
    profile_suggest(p, n_rows);
    return KITH_OK;
}

kith_status profile_table(column_profile **profiles, const kith_table *table, context *c,
                          kith_error *error)
{
    const serial_order order = {serial_numbers_monotone, table};
    *profiles = arena_zalloc(c->memory, table->n_columns, sizeof **profiles);
    TRY_ALLOC(*profiles, error);
    for (uint32_t i = 0; i < table->n_columns; i++) {
        const column *each = &table->columns[i];
        uint32_t *counts;
        TRY(profile_counts(&counts, each, table->n_rows, c->memory, error));
        TRY(profile_column(&(*profiles)[i], each, counts, table->n_rows, table->separator == ';',
                           &order, c->memory, error));
        profile_release(counts, each, c->memory);
        if (!context_progress(c, "describe", (i + 1.0) / table->n_columns))
            return error_set(error, KITH_CANCELLED, "interrupted");
    }
    return KITH_OK;
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
